//! Who takes part, and what each can do next.

use curve25519_dalek::ristretto::RistrettoPoint;
use rand_core::CryptoRng;

use super::{
    Answer, Call, Outcome, PreparedCall, PreparedSelection, Selection, Statement, call,
    check::{Checks, weights},
    select, share,
};
use crate::{error::Error, keys::SecretKey};

/// Checks U.
fn check_call(statement: &Statement, call: &Call, rng: &mut impl CryptoRng) -> Result<(), Error> {
    let mut checks = Checks::new(statement, &call.u)?;
    checks.call(call, &weights(statement, call, None, None, rng)?.array())?;
    if checks.hold() {
        Ok(())
    } else {
        Err(Error::CallProof { participant: statement.caller().participant() })
    }
}

/// Checks Sel and the share that comes with it.
fn check_selection(
    statement: &Statement,
    call: &Call,
    selection: &Selection,
    rng: &mut impl CryptoRng,
) -> Result<(), Error> {
    let mut checks = Checks::new(statement, &call.u)?;
    let mut weights = weights(statement, call, Some(selection), None, rng)?;
    checks.selection(selection, &weights.array())?;
    checks.share(statement.other(), &selection.sel, &selection.share, &weights.array())?;
    if checks.hold() {
        Ok(())
    } else {
        Err(Error::SelectionProof { participant: statement.other().participant() })
    }
}

/// Checks the caller's share.
fn check_answer(
    statement: &Statement,
    call: &Call,
    selection: &Selection,
    answer: &Answer,
    rng: &mut impl CryptoRng,
) -> Result<(), Error> {
    let mut checks = Checks::new(statement, &call.u)?;
    let mut weights = weights(statement, call, Some(selection), Some(answer), rng)?;
    checks.share(statement.caller(), &selection.sel, &answer.share, &weights.array())?;
    if checks.hold() {
        Ok(())
    } else {
        Err(Error::ShareProof { participant: statement.caller().participant() })
    }
}

/// `Sel.b − d_A − d_B`.
fn open(selection: &Selection, answer: &Answer) -> RistrettoPoint {
    selection.sel.b.point() - selection.share.d.point() - answer.share.d.point()
}

/// Verifies a whole comparison at once, in one multiscalar multiplication.
///
/// # Errors
/// [`Error::CallProof`], [`Error::SelectionProof`] or [`Error::ShareProof`] names the guilty participant:
/// when the whole fails, each message is checked alone. [`Error::ForeignTable`] for messages that were
/// decoded for another table.
pub fn verify(
    statement: &Statement,
    call: &Call,
    selection: &Selection,
    answer: &Answer,
    rng: &mut impl CryptoRng,
) -> Result<Outcome, Error> {
    let mut checks = Checks::new(statement, &call.u)?;
    let mut weights = weights(statement, call, Some(selection), Some(answer), rng)?;
    checks.call(call, &weights.array())?;
    checks.selection(selection, &weights.array())?;
    checks.share(statement.other(), &selection.sel, &selection.share, &weights.array())?;
    checks.share(statement.caller(), &selection.sel, &answer.share, &weights.array())?;
    if !checks.hold() {
        check_call(statement, call, rng)?;
        check_selection(statement, call, selection, rng)?;
        check_answer(statement, call, selection, answer, rng)?;
    }
    statement.outcome(&open(selection, answer))
}

/// A call is there and is verified; a selection is to come.
#[derive(Clone, Debug)]
pub struct Called {
    call: Call,
}

/// A selection is there and is verified; the answer is to come.
#[derive(Clone, Debug)]
pub struct Selected {
    call: Call,
    selection: Selection,
}

/// Who called, and waits for the selection.
///
/// A second selection from the same call is not answered: [`answer`](Self::answer) consumes the caller. Who
/// [`resume`](Self::resume)s one has to remember which selection it answered, if any.
#[derive(Debug)]
pub struct Caller {
    statement: Statement,
    call: Call,
}

impl Caller {
    /// Calls: makes and proves u⃗.
    ///
    /// # Errors
    /// [`Error::HandNotInTable`] when the caller's hand cannot be compared, [`Error::WrongSecretKey`].
    pub fn call(
        statement: &Statement,
        secret: &SecretKey,
        rng: &mut impl CryptoRng,
    ) -> Result<(Self, Call), Error> {
        let prepared = call::prepare_now(statement, secret, rng)?;
        Self::call_prepared(statement, secret, prepared)
    }

    /// [`call`](Self::call) with a preparation, which is used up.
    ///
    /// # Errors
    /// [`Error::ForeignPreparation`] for one of another hand or table, [`Error::WrongSecretKey`].
    pub fn call_prepared(
        statement: &Statement,
        secret: &SecretKey,
        prepared: PreparedCall,
    ) -> Result<(Self, Call), Error> {
        statement.keys().check_secret(statement.caller().participant(), secret)?;
        prepared.check(statement)?;
        let call = prepared.finish(statement, secret)?;
        Ok((Self { statement: statement.clone(), call: call.clone() }, call))
    }

    /// Goes on after a crash, with the call that was sent.
    ///
    /// # Errors
    /// [`Error::CallProof`] when it is no call of this comparison, [`Error::ForeignTable`].
    pub fn resume(
        statement: &Statement,
        call: Call,
        rng: &mut impl CryptoRng,
    ) -> Result<Self, Error> {
        check_call(statement, &call, rng)?;
        Ok(Self { statement: statement.clone(), call })
    }

    /// Checks the selection and answers it. Who calls knows the outcome before the others do.
    ///
    /// # Errors
    /// [`Error::SelectionProof`] names who was called; [`Error::WrongSecretKey`], [`Error::ForeignTable`].
    pub fn answer(
        self,
        secret: &SecretKey,
        selection: &Selection,
        rng: &mut impl CryptoRng,
    ) -> Result<(Outcome, Answer), Error> {
        let statement = &self.statement;
        statement.keys().check_secret(statement.caller().participant(), secret)?;
        check_selection(statement, &self.call, selection, rng)?;
        let share = share::prove(statement, statement.caller(), secret, &selection.sel, rng)?;
        let answer = Answer { share };
        let outcome = statement.outcome(&open(selection, &answer))?;
        Ok((outcome, answer))
    }
}

/// Who is called.
#[derive(Clone, Debug)]
pub struct Other<State> {
    statement: Statement,
    state: State,
}

impl Other<Called> {
    /// Checks the call.
    ///
    /// # Errors
    /// [`Error::CallProof`] names who called; [`Error::ForeignTable`].
    pub fn receive(
        statement: &Statement,
        call: Call,
        rng: &mut impl CryptoRng,
    ) -> Result<Self, Error> {
        check_call(statement, &call, rng)?;
        Ok(Self { statement: statement.clone(), state: Called { call } })
    }

    /// Selects by the level of its hand, proves that, and gives its share.
    ///
    /// # Errors
    /// [`Error::HandNotInTable`] when the hand cannot be compared, [`Error::WrongSecretKey`].
    pub fn select(
        self,
        secret: &SecretKey,
        rng: &mut impl CryptoRng,
    ) -> Result<(Other<Selected>, Selection), Error> {
        let prepared = select::prepare_now(&self.statement, &self.state.call, secret, rng)?;
        self.select_prepared(secret, prepared, rng)
    }

    /// [`select`](Self::select) with a preparation, which is used up.
    ///
    /// # Errors
    /// [`Error::ForeignPreparation`] for one of another hand or table, [`Error::WrongSecretKey`].
    pub fn select_prepared(
        self,
        secret: &SecretKey,
        prepared: PreparedSelection,
        rng: &mut impl CryptoRng,
    ) -> Result<(Other<Selected>, Selection), Error> {
        let Self { statement, state: Called { call } } = self;
        statement.keys().check_secret(statement.other().participant(), secret)?;
        prepared.check(&statement)?;
        let w = select::selectable(statement.ties(), &call.u);
        let selected = prepared.selected(&w);
        let selection = prepared.finish(&statement, secret, &call, &w, selected, rng)?;
        let state = Selected { call, selection: selection.clone() };
        Ok((Other { statement, state }, selection))
    }
}

impl Other<Selected> {
    /// Goes on after a crash, with the call and the selection that was sent.
    ///
    /// # Errors
    /// As [`Onlooker::selection`].
    pub fn resume(
        statement: &Statement,
        call: Call,
        selection: Selection,
        rng: &mut impl CryptoRng,
    ) -> Result<Self, Error> {
        let Onlooker { statement, state } =
            Onlooker::call(statement, call, rng)?.selection(selection, rng)?;
        Ok(Self { statement, state })
    }

    /// Checks the answer.
    ///
    /// # Errors
    /// [`Error::ShareProof`] names who called.
    pub fn answer(self, answer: &Answer, rng: &mut impl CryptoRng) -> Result<Outcome, Error> {
        let Self { statement, state } = self;
        Onlooker { statement, state }.answer(answer, rng)
    }
}

/// Everybody else, who verifies message by message. [`verify`] does it all at once, and faster.
#[derive(Clone, Debug)]
pub struct Onlooker<State> {
    statement: Statement,
    state: State,
}

impl Onlooker<Called> {
    /// Checks the call.
    ///
    /// # Errors
    /// [`Error::CallProof`] names who called; [`Error::ForeignTable`].
    pub fn call(
        statement: &Statement,
        call: Call,
        rng: &mut impl CryptoRng,
    ) -> Result<Self, Error> {
        check_call(statement, &call, rng)?;
        Ok(Self { statement: statement.clone(), state: Called { call } })
    }

    /// Checks the selection.
    ///
    /// # Errors
    /// [`Error::SelectionProof`] names who was called; [`Error::ForeignTable`].
    pub fn selection(
        self,
        selection: Selection,
        rng: &mut impl CryptoRng,
    ) -> Result<Onlooker<Selected>, Error> {
        let Self { statement, state: Called { call } } = self;
        check_selection(&statement, &call, &selection, rng)?;
        Ok(Onlooker { statement, state: Selected { call, selection } })
    }
}

impl Onlooker<Selected> {
    /// Checks the answer.
    ///
    /// # Errors
    /// [`Error::ShareProof`] names who called.
    pub fn answer(self, answer: &Answer, rng: &mut impl CryptoRng) -> Result<Outcome, Error> {
        let Selected { call, selection } = &self.state;
        check_answer(&self.statement, call, selection, answer, rng)?;
        self.statement.outcome(&open(selection, answer))
    }
}
