package dev.sequitur.schedule.multisignature;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.family.FamilyState;
import dev.sequitur.schedule.signing.Bodies;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.Records;
import java.util.Optional;
import java.util.Set;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;

/** Who has signed what, and what became of it. */
@Copyable
public record MultiSignatureState(Waiting waiting, Bodies bodies, Records records, Closed closed)
    implements FamilyState.Archiving, MultiSignatureStateBuilder.With {
  static final MultiSignatureState INITIAL =
      new MultiSignatureState(Waiting.EMPTY, Bodies.EMPTY, Records.EMPTY, Closed.EMPTY);

  /** How many schedules are in memory, those that can only be asked for among them. */
  int kept() {
    return waiting.number() + closed.schedules().size();
  }

  /** The same, of those that are kept until this second. */
  int keptUntil(long second) {
    return waiting.expiring(second) + closed.expiring(second);
  }

  /**
   * One that was triggered and has no outcome yet.
   *
   * @param fee what its payer was charged for the execution
   * @param elsewhere whether it was handed over, and its outcome comes later
   */
  public record Running(Amount fee, boolean elsewhere) {}

  /**
   * What changes of schedules that have no outcome yet.
   *
   * @param signers by schedule; one that nobody has signed is not in it
   * @param running between two steps only those that were handed over
   * @param perSecond how many expire in each second
   */
  @Copyable
  public record Waiting(
      TreePMap<EntityId, TreePSet<PublicKey>> signers,
      TreePMap<EntityId, Running> running,
      TreePMap<Long, Integer> perSecond,
      int number)
      implements MultiSignatureStateWaitingBuilder.With {
    static final Waiting EMPTY =
        new Waiting(TreePMap.empty(), TreePMap.empty(), TreePMap.empty(), 0);

    /** The keys that have provided signatures so far. */
    public Set<PublicKey> signers(EntityId schedule) {
      return signers.getOrDefault(schedule, TreePSet.empty());
    }

    /** How many expire after a second, and so still wait by then unless they are signed. */
    int expiringAfter(long second) {
      int gone = 0;
      for (var entry : perSecond.entrySet()) {
        if (entry.getKey() > second) {
          break;
        }
        gone += entry.getValue();
      }
      return number - gone;
    }

    Optional<Running> running(EntityId schedule) {
      return Optional.ofNullable(running.get(schedule));
    }

    int expiring(long second) {
      return perSecond.getOrDefault(second, 0);
    }

    Waiting admit(long second) {
      return with()
          .perSecond(perSecond.plus(second, expiring(second) + 1))
          .number(number + 1)
          .build();
    }

    Waiting sign(MultiSignatureEvent.Signed signed) {
      var all =
          signers
              .getOrDefault(signed.schedule(), TreePSet.<PublicKey>empty())
              .plusAll(signed.keys());
      return withSigners(signers.plus(signed.schedule(), all));
    }

    Waiting run(EntityId schedule, Running as) {
      return withRunning(running.plus(schedule, as));
    }

    Waiting settle(EntityId schedule, long second) {
      int rest = expiring(second) - 1;
      return new Waiting(
          signers.minus(schedule),
          running.minus(schedule),
          rest == 0 ? perSecond.minus(second) : perSecond.plus(second, rest),
          number - 1);
    }
  }

  /**
   * Schedules that have their end and can still be asked for.
   *
   * @param byExpiry when they are forgotten
   * @param byIdentity so that the same is not created again meanwhile; of two, the later one
   */
  public record Closed(
      TreePMap<EntityId, ClosedSchedule> schedules,
      TreePMap<DueKey, EntityId> byExpiry,
      TreePMap<Hash, EntityId> byIdentity) {
    static final Closed EMPTY = new Closed(TreePMap.empty(), TreePMap.empty(), TreePMap.empty());

    Closed plus(ClosedSchedule schedule) {
      var terms = schedule.terms();
      var key = DueKey.of(terms.expirySecond(), terms.id().number());
      return new Closed(
          schedules.plus(terms.id(), schedule),
          byExpiry.plus(key, terms.id()),
          byIdentity.plus(terms.creation().identity(), terms.id()));
    }

    int expiring(long second) {
      return byExpiry.subMap(DueKey.from(second), DueKey.from(second + 1)).size();
    }

    boolean hasExpired(long second) {
      return !byExpiry.isEmpty() && byExpiry.firstKey().time() <= second;
    }

    /** Without the first of those that are kept no longer than this second. */
    Closed forget(long second, int atMost) {
      var next = this;
      for (int i = 0; i < atMost && next.hasExpired(second); i++) {
        next = next.withoutFirst();
      }
      return next;
    }

    private Closed withoutFirst() {
      var first = byExpiry.firstEntry();
      var id = first.getValue();
      var identity = schedules.get(id).terms().creation().identity();
      return new Closed(
          schedules.minus(id),
          byExpiry.minus(first.getKey()),
          id.equals(byIdentity.get(identity)) ? byIdentity.minus(identity) : byIdentity);
    }
  }
}
