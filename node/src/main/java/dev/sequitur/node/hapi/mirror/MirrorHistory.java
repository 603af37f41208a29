package dev.sequitur.node.hapi.mirror;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.multisignature.MultiSignatureAnswer.RecordsFound.Found;
import dev.sequitur.schedule.multisignature.MultiSignatureTerms;
import dev.sequitur.schedule.multisignature.TimeRange;
import dev.sequitur.schedule.queue.History.Recorded;
import dev.sequitur.schedule.queue.Outcomes;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.TransactionReceipt;
import dev.sequitur.schedule.signing.TransactionRecord;
import dev.sequitur.scheduler.OutcomeQuery;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * What schedules have run, when their records are forgotten: from their outcomes, as long as those
 * are kept. An outcome knows what it was about, so what was triggered is told as it was; of a new
 * account it does not know the number. Thread-safe.
 */
record MirrorHistory(SchedulerNode scheduler, QueueName queue) {
  /** Of pages that are read for one answer. */
  private static final int MOST_READ = 5;

  /**
   * @param last the time that was looked at last, if there may be more
   */
  record Page(List<Found> found, Optional<ConsensusTime> last) {
    /** With what comes behind it, as far as there is room. */
    Page followedBy(Page next, int limit) {
      if (last.isPresent()) {
        return this;
      }
      var all = Stream.concat(found.stream(), next.found.stream()).toList();
      return all.size() > limit
          ? new Page(all.subList(0, limit), Optional.empty()).goingOn()
          : new Page(all, next.last);
    }

    /** Behind its last row there may be more. */
    Page goingOn() {
      return new Page(found, Optional.of(found.getLast().record().consensusTimestamp()));
    }
  }

  /** In the order that is asked for. */
  CompletionStage<Page> page(TimeRange range, Optional<EntityId> account) {
    if (range.isEmpty()) {
      return completedFuture(new Page(List.of(), Optional.empty()));
    }
    var reading = new Reading(range, account);
    return range.descending()
        ? firstSince(range.to().nextNano()).thenCompose(end -> reading.before(end, MOST_READ))
        : reading.after(0, MOST_READ);
  }

  /** What the schedule has run that this transaction created. */
  CompletionStage<Optional<Found>> triggered(AccountTransactionId id) {
    return triggered(id, 0, MOST_READ);
  }

  private CompletionStage<Optional<Found>> triggered(
      AccountTransactionId id, long from, int reads) {
    var about =
        query(from, OutcomeQuery.MOST, Optional.of(id.validStart()), Optional.of(id.account()));
    return scheduler
        .outcomes(queue, about)
        .thenCompose(
            page -> {
              var found =
                  page.outcomes().stream()
                      .flatMap(each -> found(each.recorded()).stream())
                      .filter(each -> each.record().transactionId().equals(id))
                      .findFirst();
              return found.isPresent() || reads == 1 || page.next() <= from
                  ? completedFuture(found)
                  : triggered(id, page.next(), reads - 1);
            });
  }

  private static OutcomeQuery query(
      long from, int limit, Optional<ConsensusTime> since, Optional<EntityId> account) {
    return new OutcomeQuery(
        from,
        limit,
        Optional.empty(),
        Optional.empty(),
        account.map(EntityId::account),
        Optional.empty(),
        since.map(ConsensusTime::toInstant),
        Optional.<Instant>empty(),
        Optional.empty());
  }

  /** The number of the first outcome then or later; that of the next if there is none. */
  private CompletionStage<Long> firstSince(ConsensusTime time) {
    return firstSince(time, 0, MOST_READ);
  }

  private CompletionStage<Long> firstSince(ConsensusTime time, long from, int reads) {
    return scheduler
        .outcomes(queue, query(from, 1, Optional.of(time), Optional.empty()))
        .thenCompose(
            page ->
                page.outcomes().isEmpty() && page.next() > from && reads > 1
                    ? firstSince(time, page.next(), reads - 1)
                    : completedFuture(
                        page.outcomes().stream()
                            .findFirst()
                            .map(Outcomes.Numbered::number)
                            .orElse(page.next())));
  }

  /** As its record told it; empty of what ran nothing, and of other families. */
  private static Optional<Found> found(Recorded recorded) {
    boolean ran = recorded.outcome() == Outcome.RUN || recorded.outcome() == Outcome.FAILED;
    return ran && recorded.proposal().terms() instanceof MultiSignatureTerms terms
        ? Optional.of(new Found(record(recorded, terms), Optional.of(terms)))
        : Optional.empty();
  }

  private static TransactionRecord record(Recorded recorded, MultiSignatureTerms terms) {
    var transaction = terms.creation().transaction();
    boolean moved = recorded.outcome() == Outcome.RUN;
    return new TransactionRecord(
        TransactionReceipt.of(moved ? ResponseCode.SUCCESS : why(recorded)),
        Bytes.of(transaction.hash().toByteArray()),
        transaction.hash(),
        recorded.at(),
        terms.scheduledId(),
        transaction.memo(),
        recorded.cost().charged().units(),
        terms.payer(),
        moved && transaction.action() instanceof Action.CryptoTransfer(var rows)
            ? rows
            : List.<AccountAmount>of(),
        Optional.of(terms.id()),
        recorded.transaction(),
        terms.group(),
        Optional.empty());
  }

  private static ResponseCode why(Recorded recorded) {
    return Stream.of(ResponseCode.values())
        .filter(code -> code.name().equals(recorded.note()))
        .findFirst()
        .orElse(ResponseCode.CONTRACT_REVERT_EXECUTED);
  }

  private static boolean isAbout(Found found, EntityId account) {
    return found.trigger().filter(terms -> terms.payer().equals(account)).isPresent()
        || found.record().transfers().stream().anyMatch(row -> row.account().equals(account));
  }

  /** Page after page, until there are enough. Used by one read after another. */
  private final class Reading {
    private final TimeRange range;
    private final Optional<EntityId> account;
    private final List<Found> rows = new ArrayList<>();
    private Optional<ConsensusTime> last = Optional.empty();

    Reading(TimeRange range, Optional<EntityId> account) {
      this.range = range;
      this.account = account;
    }

    /**
     * @return whether the page is full, or the range is over
     */
    private boolean takes(Recorded recorded) {
      if (!range.contains(recorded.at())) {
        return range.descending()
            ? recorded.at().isBefore(range.from())
            : range.to().isBefore(recorded.at());
      }
      last = Optional.of(recorded.at());
      found(recorded)
          .filter(each -> account.map(id -> isAbout(each, id)).orElse(true))
          .ifPresent(rows::add);
      return rows.size() == range.limit();
    }

    private Page page(boolean isLast) {
      return new Page(rows, isLast ? Optional.empty() : last);
    }

    CompletionStage<Page> after(long number, int reads) {
      return scheduler
          .outcomes(queue, query(number, OutcomeQuery.MOST, Optional.of(range.from()), account))
          .thenCompose(
              page -> {
                for (var each : page.outcomes()) {
                  if (takes(each.recorded())) {
                    return completedFuture(page(rows.size() < range.limit()));
                  }
                }
                if (page.next() <= number) {
                  return completedFuture(page(true));
                }
                return reads == 1 ? completedFuture(page(false)) : after(page.next(), reads - 1);
              });
    }

    /**
     * @param end the number behind the last that is looked at
     */
    CompletionStage<Page> before(long end, int reads) {
      long from = Math.max(0, end - OutcomeQuery.MOST);
      int most = (int) (end - from);
      if (most == 0) {
        return completedFuture(page(true));
      }
      return scheduler
          .outcomes(queue, query(from, most, Optional.empty(), Optional.empty()))
          .thenCompose(
              page -> {
                boolean any = false;
                for (var each : page.outcomes().reversed()) {
                  if (each.number() < end) {
                    any = true;
                    if (takes(each.recorded())) {
                      return completedFuture(page(rows.size() < range.limit()));
                    }
                  }
                }
                if (from == 0 || (!any && page.forgotten())) {
                  return completedFuture(page(true));
                }
                return reads == 1 ? completedFuture(page(false)) : before(from, reads - 1);
              });
    }
  }
}
