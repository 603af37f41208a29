package dev.sequitur.scheduler.actor;

/**
 * What a queue writes beside its journal, of one kind: one write at a time, and after one that
 * failed none until it is to be tried again. Confined to its actor.
 */
abstract class SideWrite {
  private enum Turn {
    /** The next may begin. */
    FREE,
    /** One has not answered yet. */
    UNDER_WAY,
    /** The last one failed, a moment ago. */
    FAILED
  }

  private Turn turn = Turn.FREE;

  final boolean mayBegin() {
    return turn == Turn.FREE;
  }

  final void begins() {
    turn = Turn.UNDER_WAY;
  }

  final void written() {
    turn = Turn.FREE;
  }

  final void failed() {
    turn = Turn.FAILED;
  }

  /** If the last one failed; one that is under way goes on. */
  final void tryAgain() {
    if (turn == Turn.FAILED) {
      turn = Turn.FREE;
    }
  }
}
