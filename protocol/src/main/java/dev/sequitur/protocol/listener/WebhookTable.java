package dev.sequitur.protocol.listener;

import static dev.sequitur.protocol.listener.WebhookTable.WebhookPhase.DEAD;
import static dev.sequitur.protocol.listener.WebhookTable.WebhookPhase.DELIVERED;
import static dev.sequitur.protocol.listener.WebhookTable.WebhookPhase.PAUSING;
import static dev.sequitur.protocol.listener.WebhookTable.WebhookPhase.QUEUED;
import static dev.sequitur.protocol.listener.WebhookTable.WebhookPhase.SENT;

import dev.sequitur.protocol.table.TransitionTable;
import java.util.EnumSet;
import java.util.Set;

/** One row that a webhook is sent: as a table. */
public final class WebhookTable {
  /** How far a row is. */
  public enum WebhookPhase {
    /** It was read: those of its subject before it go first, and only so many at once. */
    QUEUED,
    /** It is on its way. */
    SENT,
    /** It was refused: until it is sent again. */
    PAUSING,
    /** The receiver has it. */
    DELIVERED,
    /** It was refused too often: it is listed, and sent again if somebody asks for it. */
    DEAD
  }

  /** What happens to it. */
  public enum WebhookEvent {
    /** It is its turn. */
    TURN,
    /** The receiver has taken it. */
    TAKEN,
    /** The receiver wants it no way, and it may be sent again. */
    REFUSED,
    /** The receiver wants it no way, for the last time. */
    GIVEN_UP,
    /** The receiver is not there, or not able now: nobody knows what it thinks of the row. */
    UNREACHED,
    /** It has paused for long enough. */
    DUE
  }

  /** What a row of the table does. */
  public enum Action {
    NOTHING,
    /** Sends it. */
    SEND,
    /** Lets it pause, longer each time. */
    PAUSE
  }

  public static final TransitionTable<WebhookPhase, WebhookEvent, Action> DELIVERY =
      TransitionTable.of(
              "delivery to a webhook", WebhookPhase.class, WebhookEvent.class, Action.NOTHING)
          .move(QUEUED, WebhookEvent.TURN, SENT, Action.SEND, "nothing of its subject is before")
          .impossible(others(QUEUED), WebhookEvent.TURN, "it has had it")
          .move(SENT, WebhookEvent.TAKEN, DELIVERED, "the next of its subject may go")
          .impossible(others(SENT), WebhookEvent.TAKEN, "it is not on its way")
          .move(SENT, WebhookEvent.REFUSED, PAUSING, Action.PAUSE, "those behind it wait, too")
          .impossible(others(SENT), WebhookEvent.REFUSED, "it is not on its way")
          .move(SENT, WebhookEvent.GIVEN_UP, DEAD, "it keeps those behind it no longer")
          .impossible(others(SENT), WebhookEvent.GIVEN_UP, "it is not on its way")
          .move(SENT, WebhookEvent.UNREACHED, QUEUED, "it goes again once somebody is there")
          .impossible(others(SENT), WebhookEvent.UNREACHED, "it is not on its way")
          .move(PAUSING, WebhookEvent.DUE, QUEUED, "it may go again")
          .impossible(others(PAUSING), WebhookEvent.DUE, "it does not pause")
          .build();

  private WebhookTable() {}

  private static Set<WebhookPhase> others(WebhookPhase one) {
    return EnumSet.complementOf(EnumSet.of(one));
  }
}
