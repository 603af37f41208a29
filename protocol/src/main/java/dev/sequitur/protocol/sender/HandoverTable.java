package dev.sequitur.protocol.sender;

import static dev.sequitur.protocol.sender.HandoverTable.HandoverState.DONE;
import static dev.sequitur.protocol.sender.HandoverTable.HandoverState.NEW;
import static dev.sequitur.protocol.sender.HandoverTable.HandoverState.TOLD;

import dev.sequitur.protocol.table.TransitionTable;
import java.util.EnumSet;

/** What a sender or submitter is to be told of what was accepted: as a table. */
public final class HandoverTable {
  /** How far it is. */
  public enum HandoverState {
    /** It is durable, and nobody was told. */
    NEW,
    /** It is on its way, or was lost on it. */
    TOLD,
    /** Whom it is for has it, or hears of it with something else. */
    DONE
  }

  /** What happens to it. */
  public enum HandoverEvent {
    /** There is room for it. */
    TELL,
    /** Too much is on its way. */
    CROWDED,
    /** It was not answered for long. */
    LATE,
    /** Whom it is for has it. */
    TAKEN,
    /** What is told to the same one now is newer, and includes it. */
    OVERTAKEN
  }

  /** What a row does. */
  public enum Action {
    NOTHING,
    /** Tells it, and keeps it until it is answered. */
    TELL,
    /** Tells it again. */
    REPEAT,
    /** Keeps nothing: whom it is for reads the node store. */
    LEAVE,
    /** Keeps it no longer. */
    FORGET
  }

  public static final TransitionTable<HandoverState, HandoverEvent, Action> HANDOVER =
      TransitionTable.of("handover", HandoverState.class, HandoverEvent.class, Action.NOTHING)
          .move(NEW, HandoverEvent.TELL, TOLD, Action.TELL, "it is durable")
          .impossible(EnumSet.of(TOLD, DONE), HandoverEvent.TELL, "it was told")
          .move(NEW, HandoverEvent.CROWDED, DONE, Action.LEAVE, "it is read in the node store")
          .impossible(EnumSet.of(TOLD, DONE), HandoverEvent.CROWDED, "it was told")
          .move(TOLD, HandoverEvent.LATE, TOLD, Action.REPEAT, "it or its answer was lost")
          .impossible(EnumSet.of(NEW, DONE), HandoverEvent.LATE, "nobody has to answer")
          .move(TOLD, HandoverEvent.TAKEN, DONE, Action.FORGET, "it is theirs now")
          .ignore(
              EnumSet.of(DONE), HandoverEvent.TAKEN, "the answer to what is no longer waited for")
          .impossible(EnumSet.of(NEW), HandoverEvent.TAKEN, "nobody was told")
          .move(TOLD, HandoverEvent.OVERTAKEN, DONE, Action.FORGET, "the newer one is answered")
          .impossible(EnumSet.of(NEW, DONE), HandoverEvent.OVERTAKEN, "it is not on its way")
          .build();

  private HandoverTable() {}
}
