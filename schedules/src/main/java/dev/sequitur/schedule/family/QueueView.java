package dev.sequitur.schedule.family;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.GasUse;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.book.Book;
import dev.sequitur.schedule.signing.KeyRing;
import java.util.List;
import java.util.Optional;

/** What a family may read of its queue. */
public interface QueueView {
  /** The consensus time of this step. */
  ConsensusTime now();

  /** The consensus time of what was stored last: no block after it has done anything. */
  ConsensusTime last();

  Book book();

  /** Whose key must agree. */
  KeyRing keys();

  /** The node's operator. */
  AccountId administrator();

  /** Why nothing can be paid to this account without its signature, or at all. */
  Optional<Refusal> refusesPaying(AccountId to);

  /** What a run uses. */
  GasUse gas();

  /** Whether the queue serves this family. */
  Service service();

  /** Whether nothing of this family waits, be it for its time or for another attempt. */
  boolean nothingWaits();

  FamilyState state();

  /** Of what is admitted next. */
  long nextIncarnation();

  /**
   * How many of this family wait from one key to another, exclusive; counts no further than told.
   */
  int waiting(DueKey from, DueKey end, int atMost);

  /** The one with so many of this family before it, from one key to another, exclusive. */
  Optional<Schedule> waitingAt(DueKey from, DueKey end, int index);

  /** Those of this family that wait from one key to another, exclusive, in their order. */
  List<Schedule> waitingIn(DueKey from, DueKey end, int atMost);

  /** One of this family that is not removed yet: what a caller names may be another's. */
  Optional<Schedule> schedule(ScheduleId id);

  /** Whether its end has come or can come no more by a command. */
  boolean isStarted(ScheduleId id);
}
