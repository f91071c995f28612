// What makes the picture answer: zoom, search, turning over. `flame` holds the figures of the
// boxes, a caller before its calls: start, weight and depth of each, how those look that are not in the file, which
// are threads, and which title is whose.
(function () {
    "use strict";

    const SVG = "http://www.w3.org/2000/svg";
    const XHTML = "http://www.w3.org/1999/xhtml";
    const TITLED_PIXELS = 2; // what is narrower has no title in the file, either
    const PANEL_PIXELS = flame.hasThreads ? 720 : flame.was ? 680 : 540;

    const picture = document.documentElement;
    const layer = document.getElementById("frames");
    const bar = document.getElementById("bar");
    const heading = document.getElementById("heading");
    const wholeHeading = heading.textContent;
    const subtitle = document.getElementById("subtitle");
    const wholeSubtitle = subtitle.textContent;
    // What tells of calls without a box, or nothing.
    const leftOut = subtitle.querySelector("tspan") ? subtitle.querySelector("tspan").textContent : "";
    const keyTexts = Array.from(document.querySelectorAll("#key text"));
    const wholeKeys = keyTexts.map(function (text) {
        return text.textContent;
    });

    // What a title tells: the name, and all else in a line.
    function titleOf(lines) {
        return {text: lines.join("\n"), name: lines[0], about: lines.slice(1).join("; ")};
    }

    // Boxes that are narrow in the whole picture share their titles. Those that nobody would see are not in the
    // file, and are made once they are wide enough: a browser takes as long for each, seen or not.
    const holder = document.getElementById("lines");
    const lines = holder ? holder.textContent.split("\n") : [];
    const shared = [];
    for (let i = 0; i < flame.titles.length; i += 3) {
        shared.push(titleOf(flame.titles.slice(i, i + 3).map((line) => lines[line]).filter((line, at) => line || at === 0)));
    }
    const titlesOfBoxes = flame.titlesOfBoxes.values();
    const threads = new Set(flame.threads);
    const indices = new Map(); // of boxes, by their groups
    const boxes = [];
    for (let i = 0, group = layer.firstElementChild; 4 * i < flame.frames.length; i++) {
        const look = flame.frames[4 * i + 3];
        const own = look ? null : group.querySelector("title");
        const classes = look ? flame.looks[look - 1] : group.getAttribute("class");
        const box = {
            start: flame.frames[4 * i],
            weight: flame.frames[4 * i + 1],
            depth: flame.frames[4 * i + 2],
            classes: classes,
            was: flame.was ? flame.was[i] : 0,
            isGone: /\bgone$/.test(classes),
            isThread: threads.has(i),
            title: own ? titleOf(own.textContent.split("\n")) : shared[titlesOfBoxes.next().value],
            hasTitle: own !== null,
            isWidened: !own, // or may be
            index: i,
            group: null,
        };
        boxes.push(box);
        if (!look) {
            take(box, group);
            group = group.nextElementSibling;
        }
    }
    // The file shows the whole; `drawn…` is what the boxes stand for now.
    const view = {
        zoomed: 0, isInverted: flame.isInverted, drawnZoomed: 0, drawnInverted: flame.isInverted,
        expression: null, letterWidth: 7.25, described: null, offered: 0,
    };

    function element(space, name, attributes, parent) {
        const made = document.createElementNS(space, name);
        Object.keys(attributes).forEach(function (key) {
            made.setAttribute(key, attributes[key]);
        });
        if (parent) {
            parent.appendChild(made);
        }
        return made;
    }

    // Gives a box its elements,
    function take(box, group) {
        box.group = group;
        box.rect = group.querySelector("rect");
        box.text = group.querySelector("text");
        indices.set(group, box.index);
    }

    // which are made where there are none.
    function groupOf(box) {
        if (!box.group) {
            const group = element(SVG, "g", {class: box.classes + (box.hidden ? " hidden" : "")}, layer);
            element(SVG, "rect", {height: flame.boxHeight}, group);
            take(box, group);
        }
        return box.group;
    }

    function percent(part, whole) {
        return (whole ? 100 * part / whole : 0).toFixed(2) + "%";
    }

    function pictureWidth() {
        return flame.fixedWidth || picture.clientWidth || picture.getBoundingClientRect().width || 1200;
    }

    // How many letters a line across the picture has room for.
    function columnsOfPicture() {
        return Math.floor((pictureWidth() - 20) / view.letterWidth);
    }

    // --- Labels -------------------------------------------------------------------------

    // --- Drawing ------------------------------------------------------------------------

    function topOf(box) {
        const row = view.isInverted ? box.depth : flame.rows - 1 - box.depth;
        return flame.head + row * flame.rowHeight;
    }

    function placeLabel(box, left, pixels) {
        const shown = label(box.title.name, Math.floor((pixels - 2 * flame.inset) / view.letterWidth));
        if (!shown) {
            if (box.text && box.text.firstChild) {
                box.text.textContent = "";
            }
            return;
        }
        if (!box.text) {
            box.text = element(SVG, "text", {dx: flame.inset}, box.group);
        }
        box.text.setAttribute("x", left + "%");
        box.text.setAttribute("y", topOf(box) + flame.baseline);
        if (box.text.textContent !== shown) {
            box.text.textContent = shown;
        }
    }

    // Sets a class only where it changes: pictures have tens of thousands of boxes.
    function mark(box, name, isSet) {
        if (Boolean(box[name]) !== isSet) {
            box[name] = isSet;
            if (box.group) {
                box.group.classList.toggle(name, isSet);
            }
        }
    }

    // Where a box begins that ends at `right`. Boxes that are too narrow to be seen are hidden (null), but of
    // as many as fill the least width together the last stands for all: their caller is not empty there. The
    // first behind a gap is shown as it is: no stack seems to end before it does.
    function edgeOf(row, box, left, right, pixel) {
        const least = flame.leastPixels * pixel;
        const isLone = left - row.to >= least;
        if (isLone || right - left >= least) {
            row.edge = left;
            row.hidden = [];
        }
        const edge = row.edge;
        row.to = right;
        row.hidden.push(box);
        if (right - edge < least && !(isLone && right - left >= flame.lonePixels * pixel)) {
            return null;
        }
        row.hidden.forEach(function (hidden) {
            hidden.shownBy = box;
        });
        row.edge = right;
        row.hidden = [];
        return edge;
    }

    function place(box, zoomed, pixels, hasMoved, row) {
        const from = Math.max(box.start, zoomed.start);
        const to = Math.min(box.start + box.weight, zoomed.start + zoomed.weight);
        const left = 100 * (from - zoomed.start) / zoomed.weight;
        const right = 100 * (to - zoomed.start) / zoomed.weight;
        box.shownBy = null;
        const edge = to > from ? edgeOf(row, box, left, right, 100 / pixels) : null;

        mark(box, "hidden", edge === null);
        if (edge === null) {
            return;
        }
        if (hasMoved || box.isWidened || edge < left) {
            groupOf(box);
            mark(box, "above", box.depth < zoomed.depth);
            box.rect.setAttribute("x", edge + "%");
            box.rect.setAttribute("width", right - edge + "%");
            box.rect.setAttribute("y", topOf(box));
            box.isWidened = edge < left;
            if ((right - edge) * pixels / 100 >= TITLED_PIXELS) {
                giveTitle(box);
            }
        }
        placeLabel(box, edge, (right - edge) * pixels / 100);
    }

    function draw() {
        const pixels = pictureWidth();
        const zoomed = boxes[view.zoomed];
        const hasMoved = view.zoomed !== view.drawnZoomed || view.isInverted !== view.drawnInverted;

        // Up to where each row is drawn, and where what is not drawn yet begins and which boxes that is.
        const rows = Array.from({length: flame.rows}, function () {
            return {to: -Infinity, edge: 0, hidden: []};
        });

        boxes.forEach(function (box) {
            place(box, zoomed, pixels, hasMoved, rows[box.depth]);
        });
        view.drawnZoomed = view.zoomed;
        view.drawnInverted = view.isInverted;
        controls.reset.disabled = view.zoomed === 0;
        if (controls.threads) {
            controls.threads.value = threadOf(view.zoomed);
        }
        showMatched();
        offer(nearestShown(view.offered));
    }

    // The box of the thread that a box is of; the root's for the root.
    function threadOf(index) {
        while (index > 0 && boxes[index].depth > 1) {
            index--;
        }
        return index;
    }

    // --- Search -------------------------------------------------------------------------

    // Among threads or among calls; whether there are any. The first box is the whole run, called by its command.
    function findMatches(isThread) {
        boxes.forEach(function (box) {
            const isMeant = view.expression !== null && box.depth > 0 && box.isThread === isThread;
            box.matches = isMeant && view.expression.test(box.title.name);
        });
        return boxes.some(function (box) {
            return box.matches;
        });
    }

    function search(pattern) {
        controls.input.classList.remove("invalid");
        controls.input.removeAttribute("title");
        try {
            view.expression = pattern ? compile(pattern) : null;
        } catch (failure) {
            view.expression = null;
            controls.input.classList.add("invalid");
            controls.input.setAttribute("title", failure.message);
        }
        layer.classList.toggle("searching", view.expression !== null);
        // Threads are called by what runs them, too: the main one by the program's name.
        if (!findMatches(false)) {
            findMatches(true);
        }
        showMatched();
    }

    // Marks what matches, and what stands for narrow boxes of which one does.
    function markMatches() {
        const shown = new Set(boxes.filter(function (box) {
            return box.matches;
        }).map(function (box) {
            return box.shownBy;
        }));
        boxes.forEach(function (box) {
            mark(box, "match", shown.has(box));
        });
    }

    // Of a comparison: what matches takes of the whole, now and before, whatever is shown. Calls without a box
    // may have matched before.
    function matchedBoth(sum, was) {
        const part = percent(was, boxes[0].was);
        const isLeast = flame.wasMore && part !== "100.00%";
        // The root has what is gone beside what is.
        return matchedOf(Math.min(sum, flame.whole), flame.whole) + (isLeast ? ", was at least " : ", was ") + part;
    }

    // Calls that are too narrow for a box may match as well.
    function matchedOf(sum, whole) {
        return "matched " + (flame.isPart && sum < whole ? "at least " : "") + percent(sum, whole);
    }

    // The share of what is shown that matching boxes cover; one within another counts once.
    function showMatched() {
        const zoomed = boxes[flame.was ? 0 : view.zoomed];
        let covered = zoomed.start;
        let sum = 0;
        let was = 0;

        markMatches();
        if (!view.expression) {
            tellMatched(controls.input.classList.contains("invalid") ? "not an expression" : "");
            return;
        }
        boxes.forEach(function (box) {
            const from = Math.max(box.start, covered);
            const to = Math.min(box.start + box.weight, zoomed.start + zoomed.weight);
            if (box.matches && to > from) {
                sum += box.isGone ? 0 : to - from;
                was += box.was;
                covered = to;
            }
        });
        tellMatched(flame.was ? matchedBoth(sum, was) : matchedOf(sum, zoomed.weight));
    }

    function tellMatched(text) {
        controls.matched.textContent = text;
        controls.matched.setAttribute("title", text);
        fitHeading();
    }

    // --- What a link to this view would be ----------------------------------------------

    function remember() {
        const parts = [];
        if (view.zoomed) {
            parts.push("zoom=" + view.zoomed);
        }
        if (controls.input.value) {
            parts.push("search=" + encodeURIComponent(controls.input.value));
        }
        if (view.isInverted !== flame.isInverted) {
            parts.push("turned=1");
        }
        try {
            history.replaceState(null, "", parts.length ? "#" + parts.join("&") : location.href.split("#")[0]);
        } catch (failure) {
            // A picture inside another page may not be allowed to; it works all the same.
        }
    }

    function recall() {
        view.zoomed = 0;
        view.isInverted = flame.isInverted;
        controls.input.value = "";
        location.hash.slice(1).split("&").forEach(function (part) {
            const at = part.indexOf("=");
            const value = part.slice(at + 1);
            if (part.startsWith("zoom=") && boxes[Number(value)]) {
                view.zoomed = Number(value);
            } else if (part.startsWith("turned=")) {
                view.isInverted = !flame.isInverted;
            } else if (part.startsWith("search=")) {
                try {
                    controls.input.value = decodeURIComponent(value);
                } catch (failure) {
                    controls.input.value = value;
                }
            }
        });
    }

    // --- Controls -----------------------------------------------------------------------

    function button(panel, name, title, act) {
        const made = element(XHTML, "button", {id: name.toLowerCase().replace(/ .*/, ""), title: title}, panel);
        made.textContent = name;
        made.addEventListener("click", act);
        return made;
    }

    // One graph a thread: picking one shows it alone, as wide as the picture.
    function makeThreads(panel) {
        const select = element(XHTML, "select", {id: "threads", title: "Show one thread"}, panel);
        element(XHTML, "option", {value: 0}, select).textContent = "all threads";
        boxes.forEach(function (box, index) {
            if (box.depth === 1) {
                element(XHTML, "option", {value: index}, select).textContent = box.title.name;
            }
        });
        select.addEventListener("change", function () {
            zoom(Number(select.value));
        });
        return select;
    }

    function makeControls() {
        const holder = element(SVG, "foreignObject", {id: "holder", y: 8, height: 30}, bar);
        const panel = element(XHTML, "div", {id: "panel"}, holder);
        const made = {holder: holder};

        made.matched = element(XHTML, "span", {id: "matched", role: "status"}, panel);
        made.input = element(XHTML, "input", {
            id: "search", type: "text", placeholder: "Search (regexp)",
            "aria-label": "Search function names", spellcheck: "false", autocomplete: "off",
        }, panel);
        made.reset = button(panel, "Reset zoom", "Show everything (Escape)", function () {
            zoom(0);
        });
        made.turn = button(panel, "Turn over", "Callers at the top or at the bottom (i)", turn);
        if (flame.hasThreads) {
            made.threads = makeThreads(panel);
        }
        made.input.addEventListener("input", function () {
            search(made.input.value);
            remember();
        });
        element(SVG, "rect", {id: "strip", width: "100%", height: 24}, bar);
        made.strip = document.getElementById("strip");
        made.details = element(SVG, "text", {id: "details", x: 10}, bar);
        return made;
    }

    function zoom(index) {
        const hadFocus = document.activeElement === boxes[view.offered].group;
        if (index) {
            offer(index);
        }
        view.zoomed = index;
        draw();
        if (hadFocus) {
            reach(view.offered);
        }
        describe(view.described);
        remember();
    }

    function turn() {
        view.isInverted = !view.isInverted;
        draw();
        showZoomed();
        remember();
    }

    function giveTitle(box) {
        if (!box.hasTitle) {
            const title = element(SVG, "title", {});
            title.textContent = box.title.text;
            box.group.insertBefore(title, box.rect);
            box.hasTitle = true;
        }
    }

    function describe(box) {
        view.described = box;
        const room = columnsOfPicture();
        if (!box) {
            const help = "Click a box to zoom in (or Tab, arrows, Enter), / searches, i turns the picture over, Escape goes back.";
            controls.details.textContent = cut(help, room);
            return;
        }
        giveTitle(box);
        const zoomed = boxes[view.zoomed];
        const ofShown = view.zoomed ? "; " + percent(Math.min(box.weight, zoomed.weight), zoomed.weight) + " of what is shown" : "";
        const about = " \u2014 " + box.title.about + ofShown;
        const name = label(box.title.name, Math.max(room - about.length, 20));
        controls.details.textContent = cut(name + about, room);
    }

    function boxOf(event) {
        const group = event.target.closest ? event.target.closest("#frames > g") : null;
        return group ? indices.get(group) : -1;
    }

    // --- The keyboard -------------------------------------------------------------------

    // The box, or the innermost of its callers that is drawn.
    function nearestShown(index) {
        while (boxes[index].hidden) {
            index = callerOf(index);
        }
        return index;
    }

    function callerOf(index) {
        const depth = boxes[index].depth;
        while (index > 0 && boxes[index].depth >= depth) {
            index--;
        }
        return index;
    }

    // What is drawn of the callees: the widest; the box itself where there is none.
    function widestCallee(index) {
        const depth = boxes[index].depth;
        let widest = index;
        for (let i = index + 1; i < boxes.length && boxes[i].depth > depth; i++) {
            const isCallee = boxes[i].depth === depth + 1 && !boxes[i].hidden;
            if (isCallee && (widest === index || boxes[i].weight > boxes[widest].weight)) {
                widest = i;
            }
        }
        return widest;
    }

    // The next that is drawn in the same row; the box itself at the end.
    function neighbourOf(index, step) {
        for (let i = index + step; boxes[i]; i += step) {
            if (boxes[i].depth === boxes[index].depth && !boxes[i].hidden) {
                return i;
            }
        }
        return index;
    }

    // Makes a box the one that Tab leads to.
    function offer(index) {
        groupOf(boxes[view.offered]).setAttribute("tabindex", -1);
        view.offered = index;
        const group = groupOf(boxes[index]);
        giveTitle(boxes[index]);
        group.setAttribute("role", "button");
        group.setAttribute("tabindex", 0);
    }

    function reach(index) {
        offer(index);
        boxes[index].group.focus({preventScroll: true});
        reveal(boxes[index]);
    }

    // Up and down as people see them.
    function boxAt(key, index) {
        if (key === "ArrowLeft" || key === "ArrowRight") {
            return neighbourOf(index, key === "ArrowLeft" ? -1 : 1);
        }
        return (key === "ArrowUp") === view.isInverted ? callerOf(index) : widestCallee(index);
    }

    function onBoxKey(event) {
        const index = boxOf(event);
        if (index < 0 || event.ctrlKey || event.metaKey || event.altKey) {
            return;
        }
        if (event.key === "Enter" || event.key === " ") {
            zoom(index);
        } else if (/^Arrow/.test(event.key)) {
            reach(boxAt(event.key, index));
        } else {
            return;
        }
        event.preventDefault();
    }

    // --- The window ---------------------------------------------------------------------

    // The bar stays at the upper edge of the window and the details at its lower one.
    function followWindow() {
        const scrolled = window.scrollY || 0;
        const height = Number(picture.getAttribute("height"));
        const below = Math.min(height, window.innerHeight || height);
        bar.setAttribute("transform", "translate(0," + scrolled + ")");
        controls.strip.setAttribute("y", below - 24);
        controls.details.setAttribute("y", below - 8);
    }

    // Brings what is zoomed to, or the root, to the edge of the window where calls begin, behind its next callers.
    function showZoomed() {
        const top = topOf(boxes[view.zoomed]);
        const callers = 3 * flame.rowHeight;
        const below = flame.rowHeight + flame.foot + callers;
        window.scrollTo(0, view.isInverted ? top - flame.head - callers : top + below - window.innerHeight);
        followWindow();
    }

    // `chromium --screenshot` takes what stands where the page begins, and has drawn none of that which was
    // scrolled away from. Nobody points at anything there, and no program drives the window.
    function isTakenAsItOpens() {
        return window.matchMedia("(any-pointer: none)").matches && !navigator.webdriver;
    }

    // Scrolls no further than it takes to see all of a box.
    function reveal(box) {
        const top = topOf(box);
        const least = top + flame.rowHeight + flame.foot - window.innerHeight;
        window.scrollTo(0, Math.min(Math.max(window.scrollY, least), top - flame.head));
        followWindow();
    }

    // A text in the head, and what shows where it is pointed at.
    function setText(text, shown, title) {
        text.textContent = shown;
        if (title) {
            element(SVG, "title", {}, text).textContent = title;
        }
    }

    function setHeading(shown) {
        const notes = document.getElementById("notes");
        setText(heading, shown, notes ? notes.textContent : shown === wholeHeading ? "" : wholeHeading);
    }

    // The heading has the room that the panel leaves now.
    function fitHeading() {
        const first = controls.matched.textContent ? controls.matched : controls.input;

        setHeading(wholeHeading);
        const share = (first.getBoundingClientRect().left + window.scrollX - 20) / heading.getBBox().width;
        if (share < 1) {
            const letters = Array.from(wholeHeading);
            const room = Math.floor(letters.length * share) - 1;
            setHeading(room > 0 ? letters.slice(0, room).join("") + "\u2026" : "");
        }
    }

    // Of a line under the heading the end goes, but what tells of calls without a box goes last.
    function fitSubtitle() {
        const room = columnsOfPicture();
        const before = wholeSubtitle.slice(0, wholeSubtitle.length - leftOut.length);
        const start = cut(before, room - columnsOf(leftOut));
        const isLeftOutAlone = leftOut && start === "\u2026";
        setText(subtitle, isLeftOutAlone ? cut(leftOut.replace(/^; /, ""), room) : start + leftOut, wholeSubtitle);
    }

    // Colours that have no room are not shown in the key, and "…" stands for them.
    function fitKey() {
        const limit = pictureWidth() - 10;
        let isOver = false;
        keyTexts.forEach(function (text, index) {
            const end = Number(text.getAttribute("x")) + columnsOf(wholeKeys[index]) * view.letterWidth;
            const isLast = index + 1 === keyTexts.length;
            const swatch = text.previousElementSibling && text.previousElementSibling.tagName === "g" ? text.previousElementSibling : null;
            const hasRoom = !isOver && end <= limit - (isLast ? 0 : 44);
            text.textContent = hasRoom ? wholeKeys[index] : isOver ? "" : "\u2026";
            if (swatch) {
                swatch.setAttribute("visibility", hasRoom ? "visible" : "hidden");
            }
            isOver = !hasRoom;
        });
    }

    function fit() {
        const width = pictureWidth();
        const left = Math.max(width - PANEL_PIXELS, 0);

        controls.holder.setAttribute("x", left);
        controls.holder.setAttribute("width", Math.max(width - left - 10, 100));
        fitHeading();
        fitSubtitle();
        fitKey();
        draw();
        describe(null);
        followWindow();
    }

    // Paper has no edge to follow, and shows the picture as it is in the window, scaled to its width.
    function prepareForPaper() {
        picture.setAttribute("viewBox", "0 0 " + pictureWidth() + " " + picture.getAttribute("height"));
        bar.removeAttribute("transform");
    }

    function returnFromPaper() {
        if (!flame.fixedWidth) {
            picture.removeAttribute("viewBox");
        }
        fit();
    }

    function measureLetters() {
        const probe = element(SVG, "text", {visibility: "hidden"}, layer);
        probe.textContent = "m".repeat(100);
        view.letterWidth = probe.getComputedTextLength() / 100 || 7.25;
        layer.removeChild(probe);
    }

    function onKey(event) {
        const isTyping = event.target === controls.input;
        if (event.key === "Escape") {
            if (controls.input.value) {
                controls.input.value = "";
                search("");
                remember();
            } else {
                zoom(0);
            }
            controls.input.blur();
        } else if ((event.key === "f" && (event.ctrlKey || event.metaKey)) || (event.key === "/" && !isTyping)) {
            controls.input.focus({preventScroll: true});
            controls.input.select();
            event.preventDefault();
        } else if (event.key === "i" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
            turn();
        }
    }

    const controls = makeControls();
    if (!flame.fixedWidth) {
        picture.removeAttribute("viewBox");
        picture.setAttribute("width", "100%");
    }
    layer.addEventListener("click", function (event) {
        const index = boxOf(event);
        if (index >= 0) {
            zoom(index);
        }
    });
    layer.addEventListener("mouseover", function (event) {
        describe(boxes[boxOf(event)]);
    });
    layer.addEventListener("mouseleave", function () {
        describe(null);
    });
    layer.addEventListener("keydown", onBoxKey);
    window.addEventListener("keydown", onKey);
    // Of the window: an element of SVG that listens to these is one that Tab stops at.
    window.addEventListener("focusin", function (event) {
        describe(boxes[boxOf(event)]);
        if (view.described) {
            reveal(view.described);
        }
    });
    window.addEventListener("focusout", function () {
        describe(null);
    });
    window.addEventListener("scroll", followWindow);
    window.addEventListener("resize", fit);
    window.addEventListener("beforeprint", prepareForPaper);
    window.addEventListener("afterprint", returnFromPaper);
    window.addEventListener("hashchange", function () {
        recall();
        draw();
        search(controls.input.value);
        showZoomed();
    });
    measureLetters();
    recall();
    fit();
    search(controls.input.value);
    if (isTakenAsItOpens()) {
        followWindow();
    } else {
        showZoomed();
    }
})();
