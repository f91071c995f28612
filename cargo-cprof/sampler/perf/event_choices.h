/* Names of events that shells propose, of all that there are (event_name.h). */
#ifndef SAMPLER_PERF_EVENT_CHOICES_H
#define SAMPLER_PERF_EVENT_CHOICES_H

/* As an option's choices (cli/choices.h): those that a recording may have, */
extern const char *const event_choices[];

/* and with "heap", which stands for several, what can be asked for. */
extern const char *const event_choices_to_record[];

#endif
