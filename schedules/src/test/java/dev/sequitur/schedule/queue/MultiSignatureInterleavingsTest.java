package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.QueueUnderTest.START_MS;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.ALICE_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.BOB_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.CAROL_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.DAVE_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.body;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.creation;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.multisignature.MultiSignatureEvent;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.multisignature.MultiSignatureTerms;
import dev.sequitur.schedule.queue.QueueInput.Answered;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.CutBlock;
import dev.sequitur.schedule.queue.QueueInput.HandedOver;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.BodyLookup;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.ScheduledTransaction;
import dev.sequitur.schedule.signing.Submission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/**
 * Creations, signatures, deletions, changed keys, blocks, late and doubled answers, crashes, a
 * clock that jumps back, pauses and shutdowns, in any order and in both profiles. After every input
 * {@link QueueUnderTest} audits the money.
 */
class MultiSignatureInterleavingsTest {
  private static final RetryPolicy NEVER = RetryPolicy.NEVER;
  private static final RetryPolicy TWICE =
      new RetryPolicy(2, new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1)));
  private static final Identity FROM = new Identity("alice", new NodeName("node1"));
  private static final List<PublicKey> KEYS =
      List.of(ALICE_KEY, BOB_KEY, CAROL_KEY, DAVE_KEY, key(61), key(99));

  private final Set<OccurrenceKey> outside = new LinkedHashSet<>();

  @Property(tries = 250)
  void everyScheduleHasOneOutcomeAndRunsOnce(
      @ForAll boolean mvp, @ForAll @Size(max = 100) List<@IntRange(max = 999_999) Integer> script) {
    var queue = play(mvp, script);
    drain(queue);

    var admitted = new HashSet<String>();
    var settled = new HashSet<String>();
    var started = new HashSet<String>();
    var bodies = new HashSet<Hash>();
    var times = new HashSet<ConsensusTime>();
    var identities = new HashMap<Creation, Long>();
    long second = 0;
    for (var event : queue.queue.journal) {
      if (event instanceof QueueEvent.ClockAdvanced clock) {
        second = clock.time().seconds();
      } else if (event instanceof QueueEvent.Admitted taken) {
        admitted.add(taken.schedule().id().toString());
        checkIdentity(taken.schedule(), mvp, identities, second);
      } else if (event instanceof QueueEvent.Settled end) {
        assertThat(settled.add(end.key().schedule().toString())).as("twice: %s", end).isTrue();
      } else if (event instanceof QueueEvent.Started start) {
        assertThat(started.add(start.key().toString())).as("twice: %s", start).isTrue();
      } else if (event instanceof QueueEvent.FamilyChanged changed) {
        check(changed, mvp, bodies, times);
      }
    }
    assertThat(settled).isEqualTo(admitted);
    assertThat(queue.queue.state.book().holds()).isEmpty();
    assertThat(queue.queue.state.isIdle()).isTrue();
    assertThat(queue.state().waiting().number()).isZero();
    assertThat(queue.state().waiting().signers()).isEmpty();
    assertThat(queue.state().waiting().running()).isEmpty();
    assertThat(queue.state().waiting().perSecond()).isEmpty();
    assertThat(queue.state().bodies().uses())
        .hasSameSizeAs(queue.state().bodies().unarchived().values());
    assertThat(queue.state().closed().byIdentity())
        .hasSameSizeAs(queue.state().closed().schedules());
  }

  /** In current nothing is created again as long as it can be asked for. */
  private static void checkIdentity(
      Schedule taken, boolean mvp, Map<Creation, Long> readableUntil, long second) {
    var terms = (MultiSignatureTerms) taken.proposal().terms();
    var all = terms.creation();
    var identity =
        new Creation(
            all.transaction(),
            all.adminKey(),
            Optional.empty(),
            all.memo(),
            all.expirationSecond(),
            all.waitForExpiry());
    var before = readableUntil.put(identity, terms.expirySecond());
    if (!mvp && before != null) {
      assertThat(before).as("created again: %s", terms).isLessThanOrEqualTo(second);
    }
  }

  private static void check(
      QueueEvent.FamilyChanged changed, boolean mvp, Set<Hash> bodies, Set<ConsensusTime> times) {
    if (changed.event() instanceof MultiSignatureEvent.Triggered run && run.remembered()) {
      assertThat(mvp).isTrue();
      assertThat(bodies.add(run.body())).as("a body ran twice: %s", run).isTrue();
    } else if (changed.event() instanceof MultiSignatureEvent.Recorded recorded) {
      assertThat(times.add(recorded.record().consensusTimestamp())).as("%s", recorded).isTrue();
    }
  }

  @Property(tries = 80)
  void theSameCommandsAtTheSameTimesGiveTheSameStateByteForByte(
      @ForAll boolean mvp, @ForAll @Size(max = 80) List<@IntRange(max = 999_999) Integer> script) {
    var first = play(mvp, script).queue;
    var second = play(mvp, script).queue;

    assertThat(second.journal).isEqualTo(first.journal);
    assertThat(CanonicalState.digest(second.state)).isEqualTo(CanonicalState.digest(first.state));
    assertThat(CanonicalState.digest(first.replay())).isEqualTo(CanonicalState.digest(first.state));
  }

  private SignaturesUnderTest play(boolean mvp, List<Integer> script) {
    outside.clear();
    archived.clear();
    var queue = new SignaturesUnderTest(mvp ? SHORT_MVP : SHORT_CURRENT);
    queue.administer(new MultiSignatureOperation.BindKey(FROM, key(61)));
    script.forEach(code -> act(queue, code));
    return queue;
  }

  private void act(SignaturesUnderTest queue, int code) {
    int detail = code / 20;
    switch (code % 20) {
      case 0, 1, 2, 3 -> perform(queue, create(queue, detail));
      case 4, 5, 6, 7, 8 ->
          schedule(queue, detail).ifPresent(id -> perform(queue, sign(queue, id, detail)));
      case 9 -> schedule(queue, detail).ifPresent(id -> perform(queue, delete(queue, id)));
      case 10 -> perform(queue, change(queue, detail));
      case 11, 12 -> {
        queue.queue.nowMs += detail % 3_000;
        tell(queue, new CutBlock());
      }
      case 13, 14 -> answer(queue, detail);
      case 15 -> queue.queue.recover();
      case 16 -> queue.queue.tellAndCrashBeforeItIsStored(new CutBlock());
      case 17 -> toggle(queue, detail);
      case 18 -> archive(queue);
      default -> queue.queue.nowMs -= detail % 1_500;
    }
  }

  private void perform(SignaturesUnderTest queue, MultiSignatureOperation.Submitted operation) {
    var by = operation.by().id().account().account();
    tell(queue, new Command("do", by, new Operation.Perform(operation)));
  }

  private void tell(SignaturesUnderTest queue, QueueInput input) {
    queue.queue.tell(input);
    queue.queue.handedOver().forEach(handed -> outside.add(handed.key()));
  }

  private MultiSignatureOperation.ScheduleCreate create(SignaturesUnderTest queue, int detail) {
    var body = transaction(queue, detail);
    boolean waits = queue.family.settings().equals(SHORT_CURRENT) && detail % 3 == 0;
    var creation =
        new Creation(
            body,
            detail % 2 == 0 ? Optional.of(ALICE_KEY) : Optional.empty(),
            detail % 5 == 0 ? Optional.of(queue.carol) : Optional.empty(),
            detail % 7 == 0 ? "memo" : "",
            waits ? Optional.of(queue.queue.nowMs / 1_000 + 1 + detail % 4) : Optional.empty(),
            waits);
    var by = detail % 11 == 0 ? by(queue, detail) : byWithAdmin(queue, detail);
    var created = creation(by, creation, signers(detail));
    return new MultiSignatureOperation.ScheduleCreate(
        created.by(),
        created.creation(),
        created.sigMap(),
        new BodyLookup(archived.contains(body.hash()), queue.state().bodies().stored()));
  }

  /** What the store of executed bodies has. */
  private final Set<Hash> archived = new HashSet<>();

  private void archive(SignaturesUnderTest queue) {
    var known = queue.state().bodies().unarchived();
    if (!known.isEmpty()) {
      archived.addAll(known.values());
      tell(queue, new QueueInput.BodiesStored(known.lastKey()));
    }
  }

  private static ScheduledTransaction transaction(SignaturesUnderTest queue, int detail) {
    int nonce = detail % 6;
    return switch (detail % 4) {
      case 0 -> queue.gift(nonce);
      case 1 -> queue.transfer(nonce, queue.bob, queue.dave, 4_000);
      case 2 -> body(nonce, new Action.CryptoCreate(key(99), new Amount(5), true, ""));
      default -> {
        var call = SignaturesUnderTest.call(FROM);
        yield body(nonce, new Action.PrivateTransaction(call, detail % 8 < 4 ? TWICE : NEVER));
      }
    };
  }

  private static Submission by(SignaturesUnderTest queue, int detail) {
    var all = Stream.concat(Stream.of(DAVE_KEY), Stream.of(signers(detail)));
    return queue.by(queue.dave, all.toArray(PublicKey[]::new));
  }

  private static Submission byWithAdmin(SignaturesUnderTest queue, int detail) {
    var all = Stream.concat(Stream.of(DAVE_KEY, ALICE_KEY), Stream.of(signers(detail)));
    return queue.by(queue.dave, all.toArray(PublicKey[]::new));
  }

  private static PublicKey[] signers(int detail) {
    int mask = detail / 8 % 32;
    var chosen = new ArrayList<PublicKey>();
    for (int i = 0; i < KEYS.size(); i++) {
      if ((mask >> i & 1) == 1) {
        chosen.add(KEYS.get(i));
      }
    }
    return chosen.toArray(PublicKey[]::new);
  }

  private static MultiSignatureOperation.ScheduleSign sign(
      SignaturesUnderTest queue, EntityId schedule, int detail) {
    // Those that can sign, mostly, or all would be refused.
    var missing = queue.queries().keysMissing(schedule).stream().limit(1 + detail % 3);
    var signers = detail % 9 == 0 ? signers(detail) : missing.toArray(PublicKey[]::new);
    var all = Stream.concat(Stream.of(DAVE_KEY), Stream.of(signers)).toArray(PublicKey[]::new);
    return queue.signature(queue.by(queue.dave, all), schedule, signers);
  }

  private static MultiSignatureOperation.ScheduleDelete delete(
      SignaturesUnderTest queue, EntityId schedule) {
    return new MultiSignatureOperation.ScheduleDelete(
        queue.by(queue.dave, DAVE_KEY, ALICE_KEY), schedule);
  }

  private static MultiSignatureOperation.CryptoUpdate update(
      SignaturesUnderTest queue, int detail) {
    var to = detail % 2 == 0 ? BOB_KEY : CAROL_KEY;
    var by = queue.by(queue.dave, DAVE_KEY, BOB_KEY, CAROL_KEY);
    return new MultiSignatureOperation.CryptoUpdate(by, queue.bob, to);
  }

  /** Seldom it goes altogether, and what waits for it goes on waiting. */
  private static MultiSignatureOperation.Submitted change(SignaturesUnderTest queue, int detail) {
    boolean mvp = queue.family.settings().profile() == Profile.MVP;
    var by = queue.by(queue.dave, DAVE_KEY, BOB_KEY, CAROL_KEY);
    return mvp || detail % 5 != 0
        ? update(queue, detail)
        : new MultiSignatureOperation.CryptoDelete(by, queue.bob, queue.carol);
  }

  private static Optional<EntityId> schedule(SignaturesUnderTest queue, int detail) {
    var ids = List.copyOf(queue.queue.state.entries().schedules().keySet());
    return ids.isEmpty()
        ? Optional.empty()
        : Optional.of(EntityId.of(ids.get(detail % ids.size())));
  }

  private void answer(SignaturesUnderTest queue, int detail) {
    var keys = List.copyOf(outside);
    if (!keys.isEmpty()) {
      var key = keys.get(detail % keys.size());
      switch (detail % 3) {
        case 0 -> tell(queue, new HandedOver(key, QueueUnderTest.OUTSIDE));
        case 1 -> tell(queue, new Answered(key, new Conclusion.Succeeded(detail % 30)));
        default -> tell(queue, new Answered(key, new Conclusion.Failed(1, "no", true)));
      }
    }
  }

  private void toggle(SignaturesUnderTest queue, int detail) {
    var kind = FamilyKind.MULTI_SIGNATURE;
    var operation =
        switch (detail % 5) {
          case 0 -> new Operation.Pause(kind);
          case 1 -> new Operation.Shutdown(kind);
          default -> new Operation.Resume(kind);
        };
    tell(queue, new Command("toggle", OPERATOR, operation));
  }

  private void drain(SignaturesUnderTest queue) {
    queue.queue.nowMs = Math.max(queue.queue.nowMs, START_MS + 400_000);
    if (queue.queue.state.service(FamilyKind.MULTI_SIGNATURE) == Service.PAUSED) {
      toggle(queue, 2);
    }
    for (int i = 0; i < 200 && !queue.queue.state.isIdle(); i++) {
      queue.queue.nowMs += 5_000;
      tell(queue, new CutBlock());
      List.copyOf(outside)
          .forEach(key -> tell(queue, new Answered(key, new Conclusion.Succeeded(5))));
    }
  }

  private static final MultiSignatureSettings SHORT_MVP = shortened(MultiSignatureSettings.MVP);
  private static final MultiSignatureSettings SHORT_CURRENT =
      shortened(MultiSignatureSettings.CURRENT);

  private static MultiSignatureSettings shortened(MultiSignatureSettings plain) {
    return plain
        .withExpiry(new MultiSignatureSettings.Expiry(10, 100, 5, 3))
        .withThrottles(new MultiSignatureSettings.Throttles(20, 50, 50, 50));
  }
}
