package dev.sequitur.scheduler.runtime;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.concurrent.CompletableFuture.failedFuture;

import dev.sequitur.protocol.port.Answers;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Partition;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.scheduler.PartitionedQueueException;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.SchedulerUnavailableException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * What the names of a node's queues stand for: a queue of one, one partition, or all partitions of
 * a queue, each of which has stored what it is before anything else is asked of it. Thread-safe.
 */
final class Partitions {
  private final SchedulerNode entities;
  private final Map<QueueName, Integer> counts;

  /** Those of which it is known in this JVM that each partition has stored what it is. */
  private final Map<QueueName, CompletableFuture<Void>> made = new ConcurrentHashMap<>();

  /**
   * @param entities in which each partition is a queue, by {@link QueueName#entity}
   * @param counts how many partitions queues have, 2 or more; all others are one
   */
  Partitions(SchedulerNode entities, Map<QueueName, Integer> counts) {
    this.entities = entities;
    this.counts = Map.copyOf(counts);
  }

  /** What a name stands for. */
  sealed interface Named {
    /** A queue of one, or a partition that is named as such. */
    record One(QueueName entity) implements Named {}

    /** A queue that is spread, named as a whole. */
    record Whole(QueueName name, int count) implements Named {
      QueueName home(AccountId account) {
        return name.entity(Partition.home(account, count));
      }

      List<QueueName> all() {
        return IntStream.range(0, count).mapToObj(name::entity).toList();
      }

      /** All but an account's own, as callers name them. */
      List<QueueName> others(AccountId account) {
        int home = Partition.home(account, count);
        return IntStream.range(0, count)
            .filter(index -> index != home)
            .mapToObj(index -> new QueueName(name + "/" + index))
            .toList();
      }

      /** As callers name its partitions. */
      String partitions() {
        return name + "/0 to " + name + "/" + (count - 1);
      }

      /** Why it is not done without the name of a partition. */
      String namesOne(String why) {
        return "The queue %s has %d partitions: %s, so name one, %s."
            .formatted(name, count, why, partitions());
      }
    }
  }

  /** Whether the settings spread it. */
  boolean isSpread(QueueName queue) {
    return count(queue) > 1;
  }

  /** How many partitions the queue has; 1 for a queue of one, and for a partition's name. */
  int asked(QueueName queue) {
    return queue.partition().isPresent() ? 1 : count(queue);
  }

  private int count(QueueName queue) {
    return counts.getOrDefault(queue.whole(), 1);
  }

  /**
   * What a name stands for.
   *
   * @throws PartitionedQueueException if for nothing
   */
  Named named(QueueName queue) {
    int count = count(queue);
    var partition = queue.partition();
    if (partition.isEmpty()) {
      return count == 1 ? new Named.One(queue) : new Named.Whole(queue, count);
    } else if (count == 1) {
      throw new PartitionedQueueException(
          "The queue %s has no partitions: name it without one.".formatted(queue.whole()));
    } else if (partition.getAsInt() >= count) {
      throw new PartitionedQueueException(
          "There is no %s: the queue %s has %d partitions, from 0 on."
              .formatted(queue, queue.whole(), count));
    }
    return new Named.One(queue.entity(partition.getAsInt()));
  }

  /** The same, once what it stands for is there; fails if it stands for nothing. */
  CompletionStage<Named> ready(QueueName queue) {
    try {
      var named = named(queue);
      return isSpread(queue)
          ? made(queue.whole(), count(queue)).thenApply(all -> named)
          : completedFuture(named);
    } catch (PartitionedQueueException e) {
      return failedFuture(e);
    }
  }

  /**
   * Has each partition store what it is, the first before all others: so the number cannot be
   * another one where the first knows it.
   */
  private CompletionStage<Void> made(QueueName queue, int count) {
    var known = made.get(queue);
    if (known != null && !known.isCompletedExceptionally()) {
      return known;
    }
    var begun =
        divide(queue, new Partition(0, count))
            .thenCompose(
                first ->
                    Answers.all(
                        IntStream.range(1, count)
                            .mapToObj(index -> divide(queue, new Partition(index, count)))
                            .toList()))
            .<Void>thenApply(all -> null)
            .toCompletableFuture();
    made.put(queue, begun);
    return begun;
  }

  private CompletionStage<Answer> divide(QueueName queue, Partition place) {
    var divide =
        new Command(
            SchedulerNode.ONCE + "divide/" + place.index() + "/" + place.count(),
            entities.setup().administrator(),
            new Operation.Divide(place));
    return entities
        .submit(queue.entity(place.index()), divide)
        .thenApply(
            answer -> {
              answer
                  .refusal()
                  .ifPresent(
                      refusal -> {
                        throw new SchedulerUnavailableException(
                            "The queue " + queue + " has no partitions yet. " + refusal.sentence(),
                            null);
                      });
              return answer;
            });
  }

  /** See {@link SchedulerNode#refusesOrder}. */
  Optional<String> refusesOrder(QueueName queue) {
    try {
      return switch (named(queue)) {
        case Named.One ignored -> Optional.empty();
        case Named.Whole whole ->
            Optional.of(
                "What happens in the queue %s has an order in each of its %d partitions, and none over all: name one, %s."
                    .formatted(queue, whole.count(), whole.partitions()));
      };
    } catch (PartitionedQueueException e) {
      return Optional.of(e.getMessage());
    }
  }
}
