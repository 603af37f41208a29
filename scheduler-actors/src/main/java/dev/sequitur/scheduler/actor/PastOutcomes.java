package dev.sequitur.scheduler.actor;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.persistence.store.OutcomeStore;
import dev.sequitur.persistence.store.OutcomeStore.Ended;
import dev.sequitur.persistence.store.OutcomeStore.Query;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.queue.Happenings;
import dev.sequitur.schedule.queue.History.Beside;
import dev.sequitur.schedule.queue.History.Happened;
import dev.sequitur.schedule.queue.History.Recorded;
import dev.sequitur.schedule.queue.Outcomes;
import dev.sequitur.schedule.queue.Outcomes.Numbered;
import dev.sequitur.scheduler.OutcomeQuery;
import dev.sequitur.scheduler.storage.QueueFormat;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What the store has of what has happened and has left its queue's memory (SCH-22). Whoever wants
 * all asks the queue first, and this then: what leaves memory is here before. Thread-safe.
 */
public record PastOutcomes(OutcomeStore store, QueueFormat format) {
  /** Of pages that are read for one answer, wanted or not. */
  private static final int MOST_READ = 5;

  /** As the store takes it. */
  Ended row(long number, Happened happened) {
    var others =
        switch (happened) {
          case Recorded recorded ->
              Stream.concat(
                  Stream.of(mark(recorded.key().schedule())),
                  recorded.proposal().description().labels().stream().map(PastOutcomes::labelled));
          case Beside ignored -> Stream.<String>of();
        };
    var marks =
        Stream.concat(others, happened.accounts().stream().map(PastOutcomes::mark)).toList();
    return new Ended(
        number, happened.at().toInstant(), marks, format.encode(happened, Happened.class));
  }

  private static String mark(ScheduleId schedule) {
    return "schedule " + schedule;
  }

  private static String mark(AccountId account) {
    return "account " + account.value();
  }

  private static String labelled(String label) {
    return "label " + label;
  }

  /**
   * The newest of one schedule.
   *
   * @return oldest first
   */
  public CompletionStage<List<Recorded>> newestOf(String queue, ScheduleId schedule, int atMost) {
    var query = new Query(Optional.of(mark(schedule)), 0, Optional.empty(), true, atMost);
    return store
        .find(queue, query)
        .thenApply(
            found -> {
              var newest =
                  new ArrayList<>(found.stream().flatMap(each -> outcome(each).stream()).toList());
              Collections.reverse(newest);
              return List.copyOf(newest);
            });
  }

  /**
   * What is wanted of all that is known.
   *
   * @param memory what the queue has of it in memory, asked before this
   */
  public CompletionStage<Outcomes> with(Outcomes memory, String queue, OutcomeQuery query) {
    var known =
        new Happenings(
            memory.outcomes().stream()
                .map(each -> new Happenings.Numbered(each.number(), each.recorded()))
                .toList(),
            memory.forgotten(),
            memory.next());
    return with(known, queue, query, Recorded.class::isInstance)
        .thenApply(
            page ->
                new Outcomes(
                    page.happenings().stream()
                        .map(each -> new Numbered(each.number(), (Recorded) each.happened()))
                        .toList(),
                    page.forgotten(),
                    page.next()));
  }

  /**
   * What is wanted of all that is known, outcomes and what was kept beside them.
   *
   * @param memory as above
   */
  public CompletionStage<Happenings> with(Happenings memory, String queue, OutcomeQuery query) {
    return with(memory, queue, query, any -> true);
  }

  private CompletionStage<Happenings> with(
      Happenings memory, String queue, OutcomeQuery query, Predicate<Happened> kind) {
    if (!memory.forgotten()) {
      return completedFuture(memory);
    }
    return store
        .oldest(queue)
        .thenCompose(
            oldest -> {
              boolean forgotten = oldest.map(it -> query.from() < it).orElse(true);
              return new Reading(queue, query, kind, memory, forgotten)
                  .from(query.from(), MOST_READ);
            });
  }

  /**
   * All that has happened, also what has left memory.
   *
   * @param memory what the queue has of it in memory, asked before this
   */
  public CompletionStage<Happenings> with(Happenings memory, String queue, long from, int atMost) {
    if (!memory.forgotten()) {
      return completedFuture(memory);
    }
    return store
        .oldest(queue)
        .thenCombine(
            store.find(queue, new Query(Optional.empty(), from, Optional.empty(), false, atMost)),
            (oldest, found) -> {
              boolean forgotten = oldest.map(it -> from < it).orElse(true);
              var all = new ArrayList<Happenings.Numbered>();
              found.forEach(
                  each -> all.add(new Happenings.Numbered(each.number(), happened(each))));
              long next = all.isEmpty() ? from : all.getLast().number() + 1;
              memory.happenings().stream()
                  .filter(each -> each.number() >= next)
                  .limit(atMost - all.size())
                  .forEach(all::add);
              return new Happenings(
                  all, forgotten, all.isEmpty() ? memory.next() : all.getLast().number() + 1);
            });
  }

  private Happened happened(OutcomeStore.Found found) {
    return format.decode(found.content(), Happened.class);
  }

  private Optional<Recorded> outcome(OutcomeStore.Found found) {
    return switch (happened(found)) {
      case Recorded recorded -> Optional.of(recorded);
      case Beside ignored -> Optional.empty();
    };
  }

  /** Page after page, until there are enough. Used by one read after another. */
  private final class Reading {
    private final String queue;
    private final OutcomeQuery query;
    private final Predicate<Happened> kind;
    private final Happenings memory;
    private final boolean forgotten;
    private final List<Happenings.Numbered> found = new ArrayList<>();

    /**
     * @param kind which at all, beside what the query says
     * @param forgotten whether the store, too, has forgotten some from there on
     */
    Reading(
        String queue,
        OutcomeQuery query,
        Predicate<Happened> kind,
        Happenings memory,
        boolean forgotten) {
      this.queue = queue;
      this.query = query;
      this.kind = kind;
      this.memory = memory;
      this.forgotten = forgotten;
    }

    CompletionStage<Happenings> from(long number, int pages) {
      var mark =
          query
              .label()
              .map(PastOutcomes::labelled)
              .or(() -> query.owner().or(query::account).map(PastOutcomes::mark));
      return store
          .find(queue, new Query(mark, number, query.since(), false, OutcomeStore.MOST))
          .thenCompose(
              page -> {
                for (var each : page) {
                  if (found.size() == query.limit()) {
                    return completedFuture(endingAt(each.number()));
                  }
                  var happened = happened(each);
                  if (kind.test(happened) && query.matches(happened)) {
                    found.add(new Happenings.Numbered(each.number(), happened));
                  }
                }
                long next = page.isEmpty() ? number : page.getLast().number() + 1;
                if (page.size() < OutcomeStore.MOST) {
                  return completedFuture(withMemory(next));
                }
                return pages == 1 ? completedFuture(endingAt(next)) : from(next, pages - 1);
              });
    }

    private Happenings endingAt(long next) {
      return new Happenings(found, forgotten, next);
    }

    /**
     * @param from those before it were found in the store
     */
    private Happenings withMemory(long from) {
      for (var each : memory.happenings()) {
        if (each.number() < from) {
          continue;
        } else if (found.size() == query.limit()) {
          return endingAt(each.number());
        }
        found.add(each);
      }
      // What was read may have left memory since memory was asked.
      return endingAt(Math.max(from, memory.next()));
    }
  }
}
