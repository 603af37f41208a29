package dev.sequitur.scheduler.actor;

import dev.sequitur.protocol.schedule.Refusal;
import dev.sequitur.scheduler.storage.RecentCommands.Remembered;
import java.util.Map;
import java.util.Optional;

/**
 * What was found out of the commands of a batch before it is decided.
 *
 * @param known those that the store has, by id
 * @param stored the number up to which commands are in the store: memory may drop them
 * @param refusal what each is answered that is not known to be a repetition and may be repeated
 *     itself; empty if they are decided
 */
record Recalled(Map<String, Remembered> known, long stored, Optional<Refusal> refusal) {
  Recalled with(Map<String, Remembered> found) {
    return new Recalled(found, stored, refusal);
  }

  Recalled refusing(Refusal why) {
    return new Recalled(known, stored, Optional.of(why));
  }

  static final Recalled NOTHING = new Recalled(Map.of(), 0, Optional.empty());
}
