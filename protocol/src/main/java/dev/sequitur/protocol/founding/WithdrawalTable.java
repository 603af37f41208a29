package dev.sequitur.protocol.founding;

import static dev.sequitur.protocol.founding.WithdrawalTable.WithdrawalState.PAUSED;
import static dev.sequitur.protocol.founding.WithdrawalTable.WithdrawalState.TELLING;
import static dev.sequitur.protocol.founding.WithdrawalTable.WithdrawalState.UP_TO_DATE;

import dev.sequitur.protocol.table.TransitionTable;
import java.util.EnumSet;

/** One group after the other, to each node that has to be told: as a table. */
public final class WithdrawalTable {
  /** How far a node is with the groups that it has to be told of. */
  public enum WithdrawalState {
    /** It knows of all, or was told of them for long enough. */
    UP_TO_DATE,
    /** It is told of one of them. */
    TELLING,
    /** It has not answered, and is left alone for a while. */
    PAUSED
  }

  /** What happens to that. */
  public enum WithdrawalEvent {
    /** A group of this node's own has ended that the node has to be told of. */
    ENDED,
    /** The node knows of one, or its pause is over, and there is another one to tell it of. */
    GO_ON,
    /** There is nothing more to tell it. */
    ALL_TOLD,
    /** It has not answered in time. */
    UNANSWERED
  }

  /** What a row does. */
  public enum Action {
    NOTHING,
    /** Tells the node of the first of the groups. */
    TELL,
    /** Lets a while go by, and has the operator told. */
    PAUSE
  }

  public static final TransitionTable<WithdrawalState, WithdrawalEvent, Action> WITHDRAWAL =
      TransitionTable.of(
              "withdrawal of groups", WithdrawalState.class, WithdrawalEvent.class, Action.NOTHING)
          .move(UP_TO_DATE, WithdrawalEvent.ENDED, TELLING, Action.TELL, "nothing is before it")
          .ignore(EnumSet.of(TELLING, PAUSED), WithdrawalEvent.ENDED, "it comes after the others")
          .move(
              EnumSet.of(TELLING, PAUSED),
              WithdrawalEvent.GO_ON,
              TELLING,
              Action.TELL,
              "the first of those that are left")
          .impossible(EnumSet.of(UP_TO_DATE), WithdrawalEvent.GO_ON, "nothing is left")
          .move(TELLING, WithdrawalEvent.ALL_TOLD, UP_TO_DATE, "nothing is left")
          .move(PAUSED, WithdrawalEvent.ALL_TOLD, UP_TO_DATE, "it was told for long enough")
          .impossible(EnumSet.of(UP_TO_DATE), WithdrawalEvent.ALL_TOLD, "nothing was left")
          .move(
              TELLING, WithdrawalEvent.UNANSWERED, PAUSED, Action.PAUSE, "it may be down for long")
          .impossible(
              EnumSet.of(UP_TO_DATE, PAUSED), WithdrawalEvent.UNANSWERED, "nobody was asked")
          .build();

  private WithdrawalTable() {}
}
