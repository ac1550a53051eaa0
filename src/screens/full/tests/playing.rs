//! Keys, and what they do.

use super::*;
use crate::event::{Command, Move};

fn sent(effects: &[Effect]) -> Vec<Command> {
    effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Send(command) => Some(command.clone()),
            _ => None,
        })
        .collect()
}

#[test]
fn both_layouts_play_the_same() {
    for keys in ["c", "с", "C", "С"] {
        let mut app = seen(prefs(Lang::En), &story());
        assert_eq!(sent(&press(&mut app, keys)), [Command::Move(Move::Bet(5))]);
    }
    for keys in ["r7\n", "к7\n", "7\n", "R7\n"] {
        let mut app = seen(prefs(Lang::Ru), &story());
        assert_eq!(sent(&press(&mut app, keys)), [Command::Move(Move::Bet(7))], "{keys}");
    }
}
