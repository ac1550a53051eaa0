//! Everything that a player reads, in English and Russian.
//!
//! The texts are Fluent files. [`messages`] has one function a message, so a call with a misspelt
//! key or a missing argument does not compile; tests hold both files against these functions.
//! [`Problem`] is everything that can be refused or go wrong, each with an advice.

use std::sync::OnceLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use unic_langid::LanguageIdentifier;

mod in_file;
mod lang;
pub mod messages;
mod problem;
mod rules_text;
#[cfg(test)]
mod tests;

pub use in_file::InFile;
pub use lang::{Lang, Locale};
pub use problem::{Naming, Problem, by_number};

/// A bundle that threads can share.
type Bundle = FluentBundle<FluentResource>;

/// The texts of the table, of errors, of the command line's help, of the rules, and of the full screen.
const ENGLISH: [&str; 5] = [
    include_str!("en/table.ftl"),
    include_str!("en/errors.ftl"),
    include_str!("en/help.ftl"),
    include_str!("en/rules.ftl"),
    include_str!("en/full.ftl"),
];
const RUSSIAN: [&str; 5] = [
    include_str!("ru/table.ftl"),
    include_str!("ru/errors.ftl"),
    include_str!("ru/help.ftl"),
    include_str!("ru/rules.ftl"),
    include_str!("ru/full.ftl"),
];

impl Lang {
    /// The Fluent sources.
    const fn sources(self) -> [&'static str; 5] {
        match self {
            Self::En => ENGLISH,
            Self::Ru => RUSSIAN,
        }
    }

    fn bundle(self) -> &'static Bundle {
        static ENGLISH_BUNDLE: OnceLock<Bundle> = OnceLock::new();
        static RUSSIAN_BUNDLE: OnceLock<Bundle> = OnceLock::new();
        match self {
            Self::En => ENGLISH_BUNDLE.get_or_init(|| load(self)),
            Self::Ru => RUSSIAN_BUNDLE.get_or_init(|| load(self)),
        }
    }

    /// The message `key`, if there is one.
    pub(crate) fn find(self, key: &str, args: &FluentArgs<'_>) -> Option<String> {
        self.pattern(key, None, args)
    }

    /// The message `key` without arguments, if there is one.
    pub(crate) fn find_plain(self, key: &str) -> Option<String> {
        self.find(key, &FluentArgs::new())
    }

    /// The attribute `attribute` of the message `key`, if there is one.
    pub(crate) fn find_attribute(
        self,
        key: &str,
        attribute: &str,
        args: &FluentArgs<'_>,
    ) -> Option<String> {
        self.pattern(key, Some(attribute), args)
    }

    fn pattern(self, key: &str, attribute: Option<&str>, args: &FluentArgs<'_>) -> Option<String> {
        let bundle = self.bundle();
        let message = bundle.get_message(key)?;
        let pattern = match attribute {
            Some(attribute) => message.get_attribute(attribute)?.value(),
            None => message.value()?,
        };
        // A missing argument shows as its name in braces; tests see to it that none is missing.
        Some(bundle.format_pattern(pattern, Some(args), &mut Vec::new()).into_owned())
    }

    /// The message of a function in [`messages`]: its name with hyphens.
    fn message<const N: usize>(
        self,
        name: &str,
        args: [(&'static str, FluentValue<'_>); N],
    ) -> String {
        let key = name.replace('_', "-");
        let args: FluentArgs<'_> = args.into_iter().collect();
        self.find(&key, &args).unwrap_or(key)
    }
}

/// Loads a language. What cannot be parsed would only be missing; tests see to it that nothing is.
fn load(lang: Lang) -> Bundle {
    let tag = match lang {
        Lang::En => "en",
        Lang::Ru => "ru",
    };
    let locale: LanguageIdentifier = tag.parse().unwrap_or_default();
    let mut bundle = FluentBundle::new_concurrent(vec![locale]);
    // The isolating marks around arguments are invisible characters that break terminals and diffs.
    bundle.set_use_isolating(false);
    for source in lang.sources() {
        let resource = match FluentResource::try_new(source.to_owned()) {
            Ok(resource) | Err((resource, _)) => resource,
        };
        bundle.add_resource_overriding(resource);
    }
    bundle
}

/// Makes text from others safe to print: no control characters (an escape could redraw the
/// screen), no marks that turn the direction of writing, no line breaks.
#[must_use]
pub fn printable(text: &str) -> String {
    text.chars()
        .filter_map(|c| match c {
            '\n' | '\t' | '\r' => Some(' '),
            c if c.is_control() => None,
            '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => None,
            '\u{061c}' | '\u{feff}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}' => None,
            c => Some(c),
        })
        .collect()
}
