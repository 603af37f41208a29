package dev.sequitur.protocol.listener;

import static dev.sequitur.protocol.listener.TellingTable.TellingPhase.DELIVERING;
import static dev.sequitur.protocol.listener.TellingTable.TellingPhase.ENDED;
import static dev.sequitur.protocol.listener.TellingTable.TellingPhase.LOOKING;
import static dev.sequitur.protocol.listener.TellingTable.TellingPhase.OVERDUE;
import static dev.sequitur.protocol.listener.TellingTable.TellingPhase.REFUSED;
import static dev.sequitur.protocol.listener.TellingTable.TellingPhase.RESTING;
import static dev.sequitur.protocol.listener.TellingTable.TellingPhase.RETRYING;
import static dev.sequitur.protocol.listener.TellingTable.TellingPhase.STORED;
import static dev.sequitur.protocol.listener.TellingTable.TellingPhase.STORING;
import static dev.sequitur.protocol.listener.TellingTable.TellingPhase.UNSTARTED;
import static dev.sequitur.protocol.listener.TellingTable.TellingPhase.UNSTARTED_WITH_TURN;
import static dev.sequitur.protocol.listener.TellingTable.TellingPhase.UNSTORED;
import static dev.sequitur.protocol.listener.TellingTable.TellingPhase.WAITING;

import dev.sequitur.protocol.table.TransitionTable;
import java.util.EnumSet;
import java.util.Set;

/** One subscription to a listener: as a table. */
public final class TellingTable {
  /** How far a subscription is. */
  public enum TellingPhase {
    /** Its caller does not know its id yet, and another serves the listener. */
    UNSTARTED,
    /** Its caller does not know its id yet; it has the turn. */
    UNSTARTED_WITH_TURN,
    /** Another serves the listener. */
    RESTING,
    /** What comes next is being read. */
    LOOKING,
    /** Nothing more is there, or it could not be read: until it is looked for again. */
    WAITING,
    /** A batch is on its way: all that is gathered. */
    DELIVERING,
    /** The batch was not answered for long: whether another takes it is asked. */
    OVERDUE,
    /** The batch was refused: until it goes again. */
    REFUSED,
    /** The refused batch may go again: whether another takes it is asked. */
    RETRYING,
    /** That all has been taken which was read is being stored. */
    STORING,
    /** That could not be stored: until it is tried again. */
    UNSTORED,
    /** A batch was taken, and it is stored: whether it is another's turn is asked. */
    STORED,
    /** The listener, the subscription or its connection is gone. */
    ENDED
  }

  /** What happens to it. */
  public enum TellingEvent {
    /** Its caller knows its id. */
    START,
    /** Nobody else serves the listener now. */
    TURN,
    /** Something was read, and there is room in the batch and perhaps more to read. */
    MORE,
    /** Nothing new was there. */
    NOTHING,
    /** The batch is full, or has waited for long enough. */
    FULL,
    /** What was read is nothing to tell now: it is passed over. */
    PASSED,
    /** What was to be read or stored could not be. */
    FAILED,
    /** It has waited for long enough. */
    DUE,
    /** Its caller has taken the batch. */
    ACKNOWLEDGED,
    /** Its caller wants the batch again. */
    REFUSAL,
    /** The store has what a caller has taken. */
    BATCH_STORED,
    /** The store has what was passed over. */
    PASS_STORED,
    /** Nobody else is ready: the subscription keeps the turn. */
    KEPT,
    /** Another subscription has the turn. */
    LOST,
    /** There is no such listener any more, or another one under its name. */
    GONE,
    /** The caller or its connection is gone. */
    STOP
  }

  /** What a row does. */
  public enum Action {
    NOTHING,
    /** Reads what comes next. */
    LOOK,
    /** Looks again soon. */
    POLL,
    /** Tries again later, and later each time. */
    PAUSE,
    /** Sends all that is gathered. */
    DELIVER,
    /** Lets the batch wait for its answer on. */
    AWAIT,
    /** Stores that all was taken which was read. */
    STORE,
    /** Goes on behind what is stored. */
    GO_ON,
    /** Asks whether it is another's turn now. */
    OFFER,
    /** The same, once what is stored is behind it. */
    OFFER_NEXT,
    /** Asks whether another, who owes no answer, takes the batch. */
    OFFER_LATE,
    /** Forgets what it has gathered. */
    FORGET,
    /** Has it known that the answer came which it owed. */
    ANSWER_LATE,
    /** Tells its caller why it has ended. */
    END
  }

  public static final TransitionTable<TellingPhase, TellingEvent, Action> TELLING = table();

  private TellingTable() {}

  private static TransitionTable<TellingPhase, TellingEvent, Action> table() {
    return TransitionTable.of(
            "subscription to a listener", TellingPhase.class, TellingEvent.class, Action.NOTHING)
        .move(UNSTARTED, TellingEvent.START, RESTING, "it waits for its turn")
        .move(
            UNSTARTED_WITH_TURN, TellingEvent.START, LOOKING, Action.LOOK, "where the listener is")
        .ignore(others(UNSTARTED, UNSTARTED_WITH_TURN), TellingEvent.START, "it has started")
        .move(UNSTARTED, TellingEvent.TURN, UNSTARTED_WITH_TURN, "nothing is pushed before")
        .move(RESTING, TellingEvent.TURN, LOOKING, Action.LOOK, "where the listener is by now")
        .ignore(others(UNSTARTED, RESTING), TellingEvent.TURN, "it has it")
        .move(LOOKING, TellingEvent.MORE, LOOKING, Action.LOOK, "until the batch is full")
        .move(LOOKING, TellingEvent.NOTHING, WAITING, Action.POLL, "there may be more later")
        .move(LOOKING, TellingEvent.PASSED, STORING, Action.STORE, "it is not read again")
        .ignore(EnumSet.of(ENDED), TellingEvent.MORE, "nobody is told")
        .ignore(EnumSet.of(ENDED), TellingEvent.NOTHING, "nobody is told")
        .ignore(EnumSet.of(ENDED), TellingEvent.PASSED, "nobody is told")
        .impossible(others(LOOKING, ENDED), TellingEvent.MORE, "nothing is being read")
        .impossible(others(LOOKING, ENDED), TellingEvent.NOTHING, "nothing is being read")
        .impossible(others(LOOKING, ENDED), TellingEvent.PASSED, "nothing is being read")
        .move(
            EnumSet.of(LOOKING, WAITING),
            TellingEvent.FULL,
            DELIVERING,
            Action.DELIVER,
            "all that is gathered")
        .ignore(EnumSet.of(ENDED), TellingEvent.FULL, "nobody is told")
        .impossible(others(LOOKING, WAITING, ENDED), TellingEvent.FULL, "nothing is gathered")
        .move(LOOKING, TellingEvent.FAILED, WAITING, Action.PAUSE, "until it can be read")
        .move(STORING, TellingEvent.FAILED, UNSTORED, Action.PAUSE, "until it can be stored")
        .ignore(EnumSet.of(ENDED), TellingEvent.FAILED, "nobody is told")
        .impossible(others(LOOKING, STORING, ENDED), TellingEvent.FAILED, "nothing was tried")
        .move(WAITING, TellingEvent.DUE, LOOKING, Action.LOOK, "there may be more by now")
        .move(DELIVERING, TellingEvent.DUE, OVERDUE, Action.OFFER_LATE, "it keeps it from nobody")
        .move(REFUSED, TellingEvent.DUE, RETRYING, Action.OFFER, "another may want it")
        .move(UNSTORED, TellingEvent.DUE, STORING, Action.STORE, "until it is stored")
        .impossible(
            others(WAITING, DELIVERING, REFUSED, UNSTORED), TellingEvent.DUE, "it does not wait")
        .move(
            DELIVERING, TellingEvent.ACKNOWLEDGED, STORING, Action.STORE, "it is taken once stored")
        .move(
            RESTING,
            TellingEvent.ACKNOWLEDGED,
            RESTING,
            Action.ANSWER_LATE,
            "another has that batch")
        .ignore(others(DELIVERING, RESTING), TellingEvent.ACKNOWLEDGED, "no batch is on its way")
        .move(
            DELIVERING,
            TellingEvent.REFUSAL,
            REFUSED,
            Action.PAUSE,
            "the same batch comes again, later")
        .move(RESTING, TellingEvent.REFUSAL, RESTING, Action.ANSWER_LATE, "another has that batch")
        .ignore(others(DELIVERING, RESTING), TellingEvent.REFUSAL, "no batch is on its way")
        .move(
            STORING, TellingEvent.BATCH_STORED, STORED, Action.OFFER_NEXT, "each batch ends a turn")
        .ignore(EnumSet.of(ENDED), TellingEvent.BATCH_STORED, "nobody is told")
        .impossible(others(STORING, ENDED), TellingEvent.BATCH_STORED, "nothing is being stored")
        .move(STORING, TellingEvent.PASS_STORED, LOOKING, Action.GO_ON, "nobody was told anything")
        .ignore(EnumSet.of(ENDED), TellingEvent.PASS_STORED, "nobody is told")
        .impossible(others(STORING, ENDED), TellingEvent.PASS_STORED, "nothing is being stored")
        .move(OVERDUE, TellingEvent.KEPT, DELIVERING, Action.AWAIT, "nobody else would take it")
        .move(RETRYING, TellingEvent.KEPT, DELIVERING, Action.DELIVER, "the same batch again")
        .move(STORED, TellingEvent.KEPT, LOOKING, Action.LOOK, "nobody else is ready")
        .impossible(others(OVERDUE, RETRYING, STORED), TellingEvent.KEPT, "nobody was asked")
        .move(
            EnumSet.of(OVERDUE, RETRYING, STORED),
            TellingEvent.LOST,
            RESTING,
            Action.FORGET,
            "another goes on from where the listener stands")
        .impossible(others(OVERDUE, RETRYING, STORED), TellingEvent.LOST, "nobody was asked")
        .move(others(ENDED), TellingEvent.GONE, ENDED, Action.END, "nothing follows")
        .ignore(EnumSet.of(ENDED), TellingEvent.GONE, "it has ended")
        .move(others(ENDED), TellingEvent.STOP, ENDED, "nobody is there to be told")
        .ignore(EnumSet.of(ENDED), TellingEvent.STOP, "it has ended")
        .build();
  }

  private static Set<TellingPhase> others(TellingPhase first, TellingPhase... rest) {
    return EnumSet.complementOf(EnumSet.of(first, rest));
  }
}
