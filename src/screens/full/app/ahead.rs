//! Moves that were chosen before one's turn.

use super::{Ahead, App};
use crate::event::{Command, Move, MoveKind};
use crate::i18n::messages as m;

impl App {
    /// The move that was chosen beforehand, if it is still what it was.
    pub(super) fn ahead_command(&mut self) -> Option<Command> {
        let ahead = self.ahead.take()?;
        let turn = self.sight.view.my_turn()?;
        let price = turn.price?.pass;
        let step = match ahead {
            Ahead::Fold => turn.find(MoveKind::Fold).map(|_| Move::Fold),
            Ahead::Call(then) => turn
                .find(MoveKind::Bet)
                .filter(|legal| legal.min == Some(then))
                .map(|_| Move::Bet(then)),
            Ahead::Compare(then) => {
                turn.find(MoveKind::Compare).filter(|_| then == price).map(|_| Move::Compare)
            }
        };
        if step.is_none() {
            self.note(m::ahead_dropped(self.lang(), price), false);
        }
        step.map(Command::Move)
    }
}
