package dev.sequitur.schedule.multisignature;

import dev.sequitur.schedule.family.QueueView;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.BodyLookup;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.ResponseCode;
import java.util.Optional;
import java.util.Set;

/** The checks of a ScheduleCreate, beyond those of every transaction. */
final class Creating {
  private final MultiSignatureSettings settings;
  private final QueueView view;
  private final MultiSignatureState state;
  private final Creation creation;

  Creating(MultiSignatureSettings settings, QueueView view, Creation creation) {
    this.settings = settings;
    this.view = view;
    this.state = MultiSignature.state(view);
    this.creation = creation;
  }

  /** What is wrong with the schedule itself, whatever else waits. */
  Optional<ResponseCode> refusal(EntityId creator, Set<PublicKey> outerSigners) {
    if (creation.transaction().bytes().size() > settings.limits().maxTransactionBytes()) {
      return Optional.of(ResponseCode.TRANSACTION_OVERSIZE);
    } else if (creation.transaction().action() instanceof Action.Unschedulable) {
      return Optional.of(ResponseCode.unschedulable(settings.profile()));
    } else if (creation.payer().flatMap(view.keys()::known).isEmpty()
        && creation.payer().isPresent()) {
      return Optional.of(
          settings.profile() == Profile.MVP
              ? ResponseCode.INVALID_SCHEDULE_PAYER_ID
              : ResponseCode.ACCOUNT_ID_DOES_NOT_EXIST);
    } else if (!creation.adminKey().map(key -> key.isSatisfiedBy(outerSigners)).orElse(true)) {
      return Optional.of(ResponseCode.INVALID_SIGNATURE);
    }
    return refusedTransfer()
        .or(this::refusedTime)
        .or(
            () ->
                required(creator).isPresent()
                    ? Optional.empty()
                    : Optional.of(ResponseCode.UNRESOLVABLE_REQUIRED_SIGNERS));
  }

  Optional<RequiredKeys> required(EntityId creator) {
    return RequiredKeys.of(view.keys(), settings.profile(), creation, creator);
  }

  private Optional<ResponseCode> refusedTransfer() {
    return creation.transaction().action() instanceof Action.CryptoTransfer transfer
        ? Transfers.refusal(settings, transfer.transfers())
        : Optional.empty();
  }

  private Optional<ResponseCode> refusedTime() {
    long now = view.now().seconds();
    if (settings.profile() == Profile.MVP && creation.waitForExpiry()) {
      return Optional.of(ResponseCode.NOT_SUPPORTED);
    } else if (creation.expirationSecond().isEmpty()) {
      return creation.waitForExpiry()
          ? Optional.of(ResponseCode.MISSING_EXPIRY_TIME)
          : Optional.empty();
    }
    long second = creation.expirationSecond().get();
    if (second > now && second - now <= settings.expiry().maxFutureSecs()) {
      return Optional.empty();
    } else if (settings.profile() == Profile.MVP) {
      return Optional.of(ResponseCode.INVALID_EXPIRATION_TIME);
    }
    return Optional.of(
        second <= now
            ? ResponseCode.SCHEDULE_EXPIRATION_TIME_MUST_BE_HIGHER_THAN_CONSENSUS_TIME
            : ResponseCode.SCHEDULE_EXPIRATION_TIME_TOO_FAR_IN_FUTURE);
  }

  long expirySecond() {
    return creation
        .expirationSecond()
        .orElse(view.now().seconds() + settings.expiry().txExpiryTimeSecs());
  }

  /**
   * In {@code current}: the same, created before, whatever became of it, as long as it can be asked
   * for.
   */
  Optional<MultiSignatureTerms> known() {
    var family = new MultiSignature(settings);
    for (var id : state.bodies().waiting(creation.transaction().hash())) {
      var known =
          view.schedule(id.schedule())
              .filter(schedule -> !family.hasExpired(view, schedule))
              .map(MultiSignature::terms)
              .filter(this::isSame);
      if (known.isPresent()) {
        return known;
      }
    }
    return Optional.ofNullable(state.closed().byIdentity().get(creation.identity()))
        .flatMap(id -> MultiSignature.closed(view, id))
        .map(ClosedSchedule::terms)
        .filter(this::isSame);
  }

  private boolean isSame(MultiSignatureTerms terms) {
    return terms.creation().isIdentical(creation, settings.profile());
  }

  /** The same, created before and still to be signed. */
  Optional<Schedule> identical() {
    for (var id : state.bodies().waiting(creation.transaction().hash())) {
      var waiting = MultiSignature.find(view, id);
      if (waiting.isPresent() && isSame(MultiSignature.terms(waiting.get()))) {
        return waiting;
      }
    }
    return Optional.empty();
  }

  /** Why no new schedule can be made, although nothing is wrong with it. */
  Optional<ResponseCode> refusedRoom(BodyLookup lookup) {
    var bodies = state.bodies();
    var body = creation.transaction().hash();
    if (settings.bodiesExecuteOnce()) {
      if (bodies.isExecuted(body) || lookup.executed()) {
        return Optional.of(ResponseCode.DUPLICATE_TRANSACTION);
      } else if (lookup.stored() < bodies.archived()
          || bodies.unstored() >= settings.limits().maxUnarchived()) {
        return Optional.of(ResponseCode.BUSY);
      }
    }
    if (bodies.waiting(body).size() >= settings.limits().maxTwins()
        || state.kept() >= settings.maxPending()) {
      return Optional.of(ResponseCode.BUSY);
    }
    boolean busySecond =
        settings.profile() == Profile.CURRENT
            && state.keptUntil(expirySecond()) >= settings.expiry().maxPerSecond();
    return busySecond ? Optional.of(ResponseCode.SCHEDULE_EXPIRY_IS_BUSY) : Optional.empty();
  }
}
