package dev.sequitur.scheduler.actor;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.persistence.store.OutcomeStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A store that answers when the test says so. */
final class OutcomesInMemory implements OutcomeStore {
  final TreeMap<Long, Ended> kept = new TreeMap<>();
  final List<List<Long>> writes = new ArrayList<>();
  CompletableFuture<Void> disk = completedFuture(null);

  @Override
  public CompletionStage<Void> add(String queue, List<Ended> outcomes, long keptFrom) {
    writes.add(outcomes.stream().map(Ended::number).toList());
    kept.headMap(keptFrom).clear();
    outcomes.forEach(each -> kept.put(each.number(), each));
    return disk;
  }

  @Override
  public CompletionStage<List<Found>> find(String queue, Query query) {
    var found =
        new ArrayList<>(
            kept.tailMap(query.from()).values().stream()
                .filter(each -> query.mark().map(each.marks()::contains).orElse(true))
                .filter(each -> query.since().map(at -> !each.at().isBefore(at)).orElse(true))
                .map(each -> new Found(each.number(), each.content()))
                .toList());
    if (query.newestFirst()) {
      Collections.reverse(found);
    }
    return completedFuture(found.subList(0, Math.min(found.size(), query.atMost())));
  }

  @Override
  public CompletionStage<Optional<Long>> oldest(String queue) {
    return completedFuture(kept.keySet().stream().findFirst());
  }
}
