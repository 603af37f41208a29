package dev.sequitur.scheduler.actor;

import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.family.FamilyState;
import dev.sequitur.schedule.family.Forecast;
import dev.sequitur.schedule.queue.CalendarPage;
import dev.sequitur.schedule.queue.Explanation;
import dev.sequitur.schedule.queue.Happenings;
import dev.sequitur.schedule.queue.Outcomes;
import dev.sequitur.schedule.queue.QueueAudit;
import dev.sequitur.schedule.queue.QueueEffect;
import dev.sequitur.schedule.queue.Statement;
import dev.sequitur.schedule.queue.Trial;
import dev.sequitur.scheduler.DuePage;
import dev.sequitur.scheduler.KnownSchedule;
import dev.sequitur.scheduler.QueueOverview;
import dev.sequitur.scheduler.SchedulePage;
import java.util.List;
import java.util.Optional;

/** What a queue answers. */
public sealed interface QueueReply {
  /**
   * To the commands of a {@link QueueRequest.Submit}, in their order; to a {@link
   * QueueQuestion.Remembered} that command's, if it is remembered.
   *
   * @param answers each the queue's answer to a command
   */
  record Answers(List<QueueEffect> answers) implements QueueReply {
    public Answers {
      answers = List.copyOf(answers);
    }
  }

  /** Whether the commands were taken is not known; to repeat them under their ids is safe. */
  record Unavailable(String sentence) implements QueueReply {}

  record Explained(Explanation explanation) implements QueueReply {}

  record Counted(QueueAudit audit) implements QueueReply {}

  record Overviewed(QueueOverview overview) implements QueueReply {}

  record Found(KnownSchedule schedule) implements QueueReply {}

  record Paged(SchedulePage page) implements QueueReply {}

  record Due(DuePage page) implements QueueReply {}

  record Balance(Amount available) implements QueueReply {}

  record Known(FamilyState state) implements QueueReply {}

  /** To a {@link QueueQuestion.OfFamily}. */
  record Said(Object answer) implements QueueReply {}

  record Happened(Outcomes outcomes) implements QueueReply {}

  record Told(Happenings happenings) implements QueueReply {}

  record Stated(Statement statement) implements QueueReply {}

  record Foreseen(Optional<Forecast> forecast) implements QueueReply {}

  record Tried(Trial trial) implements QueueReply {}

  record Runs(List<ConsensusTime> times) implements QueueReply {
    public Runs {
      times = List.copyOf(times);
    }
  }

  record Planned(CalendarPage page) implements QueueReply {}
}
