package dev.sequitur.schedule.family;

import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.Outcome;
import java.util.Optional;

/** How an occurrence came to its end. */
public sealed interface OccurrenceEnding {
  Outcome outcome();

  /**
   * @param price for each unit of gas, as it was when the first attempt started
   * @param transaction as which the sequencer ran it, if it did
   */
  record Ran(long price, Conclusion conclusion, Optional<TransactionId> transaction)
      implements OccurrenceEnding {
    @Override
    public Outcome outcome() {
      return conclusion.outcome();
    }
  }

  /** Before it was started. */
  record NotRun(Outcome outcome) implements OccurrenceEnding {
    public NotRun {
      if (outcome == Outcome.RUN || outcome == Outcome.FAILED) {
        throw new IllegalArgumentException("What was not run did not end as " + outcome + ".");
      }
    }
  }

  /** Its time came while the one before it ran. */
  record Overlapped() implements OccurrenceEnding {
    @Override
    public Outcome outcome() {
      return Outcome.MISSED;
    }
  }

  /** Its owner has it left out; what was to come after it comes all the same. */
  record Skipped() implements OccurrenceEnding {
    @Override
    public Outcome outcome() {
      return Outcome.CANCELLED;
    }
  }

  /**
   * By the node and not by its owner: its family is shut down, or the rules fail over it. Nobody
   * loses anything by what did not run.
   */
  record CalledOff() implements OccurrenceEnding {
    @Override
    public Outcome outcome() {
      return Outcome.CANCELLED;
    }
  }
}
