//! One line of an access log: `CLIENT MINUTE METHOD PATH STATUS BYTES MICROSECONDS`.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    Get,
    Post,
    Delete,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Method::Get => "GET",
            Method::Post => "POST",
            Method::Delete => "DELETE",
        })
    }
}

impl FromStr for Method {
    type Err = ParseError;

    fn from_str(word: &str) -> Result<Self, ParseError> {
        match word {
            "GET" => Ok(Method::Get),
            "POST" => Ok(Method::Post),
            "DELETE" => Ok(Method::Delete),
            _ => Err(ParseError::Bad("method")),
        }
    }
}

/// One request; borrows the line it was parsed from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    pub client: &'a str,
    pub minute: u32,
    pub method: Method,
    pub path: &'a str,
    pub status: u16,
    pub bytes: u64,
    pub micros: u32,
}

/// Names the field of the line that is missing or not of its form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseError {
    Missing(&'static str),
    Bad(&'static str),
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseError::Missing(field) => write!(f, "the {field} is missing"),
            ParseError::Bad(field) => write!(f, "the {field} is not one"),
        }
    }
}

impl Error for ParseError {}

fn number<'a, T: FromStr>(
    words: &mut impl Iterator<Item = &'a str>,
    field: &'static str,
) -> Result<T, ParseError> {
    let word = words.next().ok_or(ParseError::Missing(field))?;
    word.parse().map_err(|_| ParseError::Bad(field))
}

impl<'a> Record<'a> {
    pub fn parse(line: &'a str) -> Result<Record<'a>, ParseError> {
        let mut words = line.split_ascii_whitespace();
        let client = words.next().ok_or(ParseError::Missing("client"))?;
        let minute = number(&mut words, "minute")?;
        let method = number(&mut words, "method")?;
        let path = words.next().ok_or(ParseError::Missing("path"))?;

        Ok(Record {
            client,
            minute,
            method,
            path,
            status: number(&mut words, "status")?,
            bytes: number(&mut words, "bytes")?,
            micros: number(&mut words, "time")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_becomes_a_record() {
        let record = Record::parse("10.0.0.9 61 POST /cart 201 512 1830").unwrap();

        assert_eq!(record.method, Method::Post);
        assert_eq!((record.path, record.status), ("/cart", 201));
        assert_eq!((record.bytes, record.micros), (512, 1830));
    }

    #[test]
    fn the_field_that_is_wrong_is_named() {
        assert_eq!(Record::parse(""), Err(ParseError::Missing("client")));
        assert_eq!(
            Record::parse("10.0.0.9 61 PUT /cart 201 512 1830"),
            Err(ParseError::Bad("method"))
        );
        assert_eq!(
            Record::parse("10.0.0.9 61 GET /cart 70000 1 1"),
            Err(ParseError::Bad("status"))
        );
        assert_eq!(
            Record::parse("10.0.0.9 61 GET /cart 200 1"),
            Err(ParseError::Missing("time"))
        );
    }
}
