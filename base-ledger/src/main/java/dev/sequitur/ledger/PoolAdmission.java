package dev.sequitur.ledger;

import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;

/**
 * The way into the pool: checks in parallel and without a lock, then one short step under the
 * pool's for each transaction, in the order of submission. Thread-safe.
 */
final class PoolAdmission {
  /** Transitions that one task checks: some milliseconds of work. */
  private static final int PART = 16;

  private final Chain chain;
  private final Pool pool;
  private final TransactionCheck check;
  private final Executor executor;
  // those being checked are memory too
  private final Semaphore places;

  PoolAdmission(Chain chain, Pool pool, LedgerRuntime runtime, LedgerSettings settings) {
    this.chain = chain;
    this.pool = pool;
    this.check = new TransactionCheck(runtime.signatures(), settings.chainId());
    this.executor = runtime.executor();
    this.places = new Semaphore(settings.poolCapacity());
  }

  CompletionStage<List<SubmitOutcome>> submit(
      List<SignedLedgerTransaction> transactions, Map<TransactionHash, Set<Integer>> doomed) {
    int size = weight(transactions);
    if (!places.tryAcquire(size)) {
      return CompletableFuture.completedFuture(
          transactions.stream()
              .<SubmitOutcome>map(signed -> new SubmitOutcome.PoolFull(signed.hash()))
              .toList());
    }
    try {
      return check(List.copyOf(transactions), Map.copyOf(doomed))
          .thenApply(verdicts -> verdicts.stream().map(this::admit).toList())
          .whenComplete((outcomes, failure) -> places.release(size));
    } catch (RejectedExecutionException e) {
      places.release(size);
      return CompletableFuture.failedFuture(
          new LedgerUnreachableException("The ledger is too busy: submit again later.", e));
    }
  }

  private CompletionStage<List<Verdict>> check(
      List<SignedLedgerTransaction> transactions, Map<TransactionHash, Set<Integer>> doomed) {
    var parts = new ArrayList<CompletableFuture<List<Verdict>>>();
    for (int from = 0, to; from < transactions.size(); from = to) {
      to = endOfPart(transactions, from);
      var part = transactions.subList(from, to);
      parts.add(
          CompletableFuture.supplyAsync(
              () -> part.stream().map(signed -> verdict(signed, doomed)).toList(), executor));
    }
    return Answers.all(parts).thenApply(all -> all.stream().flatMap(List::stream).toList());
  }

  private static int endOfPart(List<SignedLedgerTransaction> transactions, int from) {
    int to = from;
    for (int weight = 0; to < transactions.size() && weight < PART; to++) {
      weight += transactions.get(to).transaction().weight();
    }
    return to;
  }

  private static int weight(List<SignedLedgerTransaction> transactions) {
    return transactions.stream().mapToInt(signed -> signed.transaction().weight()).sum();
  }

  private Verdict verdict(
      SignedLedgerTransaction signed, Map<TransactionHash, Set<Integer>> doomed) {
    var flaw = check.flaw(signed);
    if (flaw.isPresent()) {
      return new Settled(new SubmitOutcome.Invalid(signed.hash(), flaw.get()));
    }
    if (pool.contains(signed.hash()) || chain.contains(signed.hash())) {
      return new Settled(new SubmitOutcome.Pooled(signed.hash()));
    }
    return check
        .verify(signed, doomed.getOrDefault(signed.hash(), Set.of()))
        .<Verdict>map(Candidate::new)
        .orElseGet(
            () ->
                new Settled(
                    new SubmitOutcome.Invalid(
                        signed.hash(), "The signature is not the signer's over the hash.")));
  }

  private SubmitOutcome admit(Verdict verdict) {
    return switch (verdict) {
      case Settled(var outcome) -> outcome;
      case Candidate(var transaction) -> add(transaction);
    };
  }

  private SubmitOutcome add(CheckedTransaction transaction) {
    var outcome = pool.add(transaction);
    // it may have got into a block while it was checked
    return outcome instanceof SubmitOutcome.NonceTooLow && chain.contains(transaction.hash())
        ? new SubmitOutcome.Pooled(transaction.hash())
        : outcome;
  }

  private sealed interface Verdict {}

  private record Settled(SubmitOutcome outcome) implements Verdict {}

  private record Candidate(CheckedTransaction transaction) implements Verdict {}
}
