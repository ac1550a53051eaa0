//! The words that can be typed, in both languages and both keyboard layouts.

use super::typed::Word;

/// Every word with the ways to type it. Lower case, `е` for `ё`, a hyphen for a space.
const WORDS: &[(Word, &[&str])] = &[
    (Word::Call, &["call", "дальше", "пройти", "прохожу", "поддержать", "поддерживаю", "колл"]),
    (Word::Raise, &["raise", "повысить", "повышаю", "рейз"]),
    (Word::Bet, &["bet", "ставлю", "ставка", "поставить"]),
    (
        Word::Dark,
        &[
            "dark",
            "overdark",
            "play-dark",
            "темню",
            "перетемню",
            "темнить",
            "перетемнить",
            "втемную",
        ],
    ),
    (Word::Look, &["look", "смотрю", "смотреть", "посмотреть"]),
    (Word::Fold, &["fold", "пас", "пасую", "упал", "упала", "падаю"]),
    (
        Word::Compare,
        &["compare", "вскрываюсь", "вскрываю", "вскрыться", "скрываюсь", "сравнить", "сравниваю"],
    ),
    (Word::Redeal, &["redeal", "пересдача", "пересдаем"]),
    (Word::Boil, &["boil", "варим", "варим?", "варить"]),
    (Word::Accept, &["accept", "yes", "y", "да", "согласен", "согласна", "принимаю"]),
    (Word::Refuse, &["refuse", "no", "n", "нет", "отказ", "отказываюсь"]),
    (Word::Split, &["split", "делим", "поделим", "делить"]),
    (Word::NoSplit, &["no-split", "nosplit", "не-делим", "не-делить", "играем"]),
    (Word::Enter, &["enter", "вхожу", "войти"]),
    (Word::StayOut, &["stay-out", "stayout", "мимо", "не-вхожу"]),
    (Word::Cut, &["cut", "снять", "снимаю", "сними"]),
    (Word::Lift, &["lift", "поднять", "поднимаю"]),
    (Word::Replace, &["replace", "заменить", "замени"]),
    (Word::Keep, &["keep", "оставить", "оставляю"]),
    (Word::Ante, &["ante", "анте", "антэ"]),
    (Word::Omit, &["omit", "не-ставлю"]),
    (Word::Expose, &["expose", "открыть", "открываю"]),
    (Word::Pool, &["pool", "складчина", "вскладчину"]),
    (Word::Pact, &["pact", "набздем", "набздем?", "договор"]),
    (Word::Say, &["say", "скажи", "сказать"]),
    (Word::Advice, &["advice", "advise", "совет", "советую"]),
    (Word::Rebuy, &["rebuy", "докупить", "докупаю"]),
    (Word::Leave, &["leave", "quit", "exit", "уйти", "ухожу", "выйти", "выход"]),
    (Word::Hint, &["hint", "подсказка", "подскажи"]),
    (Word::Rules, &["rules", "правила"]),
    (Word::Help, &["help", "?", "помощь", "справка"]),
    (Word::Start, &["start", "начать", "начинаем", "старт"]),
    (Word::Ready, &["ready", "готов", "готова"]),
    (Word::SitOut, &["sit-out", "sitout", "пропускаю", "пропустить"]),
    (Word::MoreTime, &["more-time", "moretime", "время", "еще-время"]),
    (Word::Who, &["who", "table", "стол", "кто"]),
    (Word::Admit, &["admit", "впустить"]),
    (Word::Unfreeze, &["unfreeze", "разморозить"]),
    (Word::Close, &["close", "закрыть"]),
    (Word::Tens, &["tens", "десятки"]),
    (Word::AgreeRules, &["agree-rules", "agree", "согласен-с-правилами", "согласна-с-правилами"]),
    (Word::RefuseRules, &["refuse-rules", "disagree", "против-правил"]),
    (Word::Divide, &["divide", "разделить-банк", "разделить"]),
    (Word::NoDivide, &["no-divide", "nodivide", "не-разделять", "не-делить-банк"]),
    (Word::Propose, &["propose", "предлагаю", "предложить"]),
];

/// The letter keys of a keyboard, row by row: what they give in the English and the Russian layout.
const ENGLISH_KEYS: &str = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`";
const RUSSIAN_KEYS: &str = "йцукенгшщзхъфывапролджэячсмитьбюё";

/// The word that `typed` means, in whichever layout it was typed.
pub(super) fn find(typed: &str) -> Option<Word> {
    let typed = normal(typed);
    lookup(&typed).or_else(|| lookup(&normal(&other_layout(&typed))))
}

fn lookup(typed: &str) -> Option<Word> {
    WORDS.iter().find(|(_, ways)| ways.contains(&typed)).map(|(word, _)| *word)
}

fn normal(typed: &str) -> String {
    typed.to_lowercase().replace('ё', "е")
}

/// What the same keys would have given in the other layout.
fn other_layout(typed: &str) -> String {
    typed
        .chars()
        .map(|c| {
            swap(c, ENGLISH_KEYS, RUSSIAN_KEYS)
                .or_else(|| swap(c, RUSSIAN_KEYS, ENGLISH_KEYS))
                .unwrap_or(c)
        })
        .collect()
}

fn swap(c: char, from: &str, to: &str) -> Option<char> {
    from.chars().zip(to.chars()).find(|(key, _)| *key == c).map(|(_, other)| other)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_word_means_two_things() {
        let mut seen = BTreeSet::new();
        for (_, ways) in WORDS {
            for way in *ways {
                assert!(seen.insert(*way), "{way}");
                assert_eq!(normal(way), *way, "write it the way it is looked up");
            }
        }
        // Nor does a word typed in the wrong layout collide with one of the right layout.
        for (word, ways) in WORDS {
            for way in *ways {
                assert_eq!(find(&other_layout(way)), Some(*word), "{way}");
            }
        }
    }

    #[test]
    fn slips_of_the_layout_are_understood() {
        for (typed, word) in [
            ("сфдд", Word::Call),
            ("ащдв", Word::Fold),
            ("кфшыу", Word::Raise),
            ("gfc", Word::Fold),
            ("lfkmit", Word::Call),
            ("gjdscbnm", Word::Raise),
            ("DCRHSDF.CM", Word::Compare),
            ("ещё-время", Word::MoreTime),
            ("Дальше", Word::Call),
        ] {
            assert_eq!(find(typed), Some(word), "{typed}");
        }
        assert_eq!(find("pass"), None);
        assert_eq!(find(""), None);
    }

    #[test]
    fn the_layouts_have_the_same_keys() {
        assert_eq!(ENGLISH_KEYS.chars().count(), RUSSIAN_KEYS.chars().count());
    }
}
