package dev.sequitur.protocol.messaging;

import static dev.sequitur.protocol.messaging.DeliveryTable.DeliveryState.ON_ITS_WAY;
import static dev.sequitur.protocol.messaging.DeliveryTable.DeliveryState.READING;
import static dev.sequitur.protocol.messaging.DeliveryTable.DeliveryState.UP_TO_DATE;

import dev.sequitur.protocol.table.TransitionTable;
import java.util.EnumSet;

/** One batch at a time, for each of the other nodes: as a table. */
public final class DeliveryTable {
  /** How far what this node has to tell its group is with one of the other nodes. */
  public enum DeliveryState {
    /** It has all that was written. */
    UP_TO_DATE,
    /** What comes next for it is read where messages are kept. */
    READING,
    /** A batch was sent to it and is not acknowledged. */
    ON_ITS_WAY
  }

  /** What happens to a delivery. */
  public enum DeliveryEvent {
    /** There is something that the receiver does not have. */
    WRITTEN,
    /** What comes next is read. */
    READ,
    /** The receiver has what was on its way, or lacks what was before it, and not all yet. */
    GO_ON,
    /** The receiver has all that was written. */
    CAUGHT_UP,
    /** The receiver is no member any more: what is written now is not for it (CMT-7). */
    LEFT
  }

  /** What a row does. */
  public enum Action {
    NOTHING,
    /** Has what comes next read. */
    READ,
    /** Sends what was read, again until it is acknowledged. */
    SEND
  }

  public static final TransitionTable<DeliveryState, DeliveryEvent, Action> DELIVERY =
      TransitionTable.of(
              "delivery of messages", DeliveryState.class, DeliveryEvent.class, Action.NOTHING)
          .move(UP_TO_DATE, DeliveryEvent.WRITTEN, READING, Action.READ, "nothing is before it")
          .ignore(EnumSet.of(READING, ON_ITS_WAY), DeliveryEvent.WRITTEN, "it goes with the next")
          .move(READING, DeliveryEvent.READ, ON_ITS_WAY, Action.SEND, "as many as go together")
          .impossible(EnumSet.of(UP_TO_DATE, ON_ITS_WAY), DeliveryEvent.READ, "nobody has asked")
          .move(ON_ITS_WAY, DeliveryEvent.GO_ON, READING, Action.READ, "what comes after that")
          .ignore(EnumSet.of(UP_TO_DATE, READING), DeliveryEvent.GO_ON, "nothing is on its way")
          .move(ON_ITS_WAY, DeliveryEvent.CAUGHT_UP, UP_TO_DATE, "nothing is left")
          .ignore(EnumSet.of(UP_TO_DATE, READING), DeliveryEvent.CAUGHT_UP, "nothing is on its way")
          .move(READING, DeliveryEvent.LEFT, UP_TO_DATE, "nothing more is for it")
          .move(ON_ITS_WAY, DeliveryEvent.LEFT, UP_TO_DATE, "nothing more is for it")
          .ignore(EnumSet.of(UP_TO_DATE), DeliveryEvent.LEFT, "nothing is on its way")
          .build();

  private DeliveryTable() {}
}
