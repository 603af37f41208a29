package dev.sequitur.protocol.schedule.family;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.schedule.signing.Account;
import dev.sequitur.protocol.schedule.signing.Creation;
import dev.sequitur.protocol.schedule.signing.EntityId;
import dev.sequitur.protocol.schedule.signing.Profile;
import dev.sequitur.protocol.schedule.signing.PublicKey;
import dev.sequitur.protocol.schedule.signing.ResponseCode;
import dev.sequitur.protocol.schedule.signing.TransactionId;
import dev.sequitur.protocol.schedule.signing.TransactionRecord;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/** Questions to the multi-signature family that change nothing, at the time of the view. */
public final class MultiSignatureQueries {
  private final MultiSignatureSettings settings;
  private final QueueView view;
  private final MultiSignatureState state;

  public MultiSignatureQueries(MultiSignature family, QueueView view) {
    this.settings = family.settings();
    this.view = view;
    this.state = MultiSignature.state(view);
  }

  /**
   * The answer to a ScheduleGetInfo.
   *
   * @param info only with {@link ResponseCode#OK}
   */
  public record InfoAnswer(ResponseCode status, Optional<ScheduleInfo> info) {
    private static InfoAnswer not(ResponseCode why) {
      return new InfoAnswer(why, Optional.empty());
    }
  }

  /** In {@code mvp} only what can still be signed; in {@code current} until it would expire. */
  public InfoAnswer getInfo(EntityId id) {
    boolean mvp = settings.profile() == Profile.MVP;
    var waiting = mvp ? MultiSignature.find(view, id) : view.schedule(id.schedule());
    var closed = state.closed().schedules().get(id);
    if (closed != null) {
      var at = Optional.of(closed.at());
      return new InfoAnswer(
          ResponseCode.OK,
          Optional.of(
              new ScheduleInfo(
                  closed.terms(),
                  List.copyOf(closed.signers()),
                  closed.executed() ? Optional.empty() : at,
                  closed.executed() ? at : Optional.empty())));
    } else if (waiting.isPresent()) {
      var signers = List.copyOf(new TreeSet<>(state.waiting().signers(id)));
      var terms = MultiSignature.terms(waiting.get());
      return new InfoAnswer(
          ResponseCode.OK,
          Optional.of(new ScheduleInfo(terms, signers, Optional.empty(), Optional.empty())));
    }
    boolean known =
        id.compareTo(EntityId.FIRST) >= 0
            && id.compareTo(state.entities().next()) < 0
            && state.entities().account(id).isEmpty();
    return InfoAnswer.not(
        mvp && known ? ResponseCode.SCHEDULE_DELETED : ResponseCode.INVALID_SCHEDULE_ID);
  }

  /**
   * All records of a transaction, oldest first, as long as they are kept; the newest holds its
   * receipt. Empty: {@code RECEIPT_NOT_FOUND} or {@code RECORD_NOT_FOUND}.
   */
  public List<TransactionRecord> records(TransactionId id) {
    return state.records().of(id);
  }

  public Optional<Account> account(EntityId id) {
    return state.entities().account(id);
  }

  /** How many executed bodies the queue has archived: to be read before the store is asked. */
  public long archivedBodies() {
    return state.bodies().archived();
  }

  /** Executed bodies that the store need not have yet, by their count. */
  public SortedMap<Long, Hash> unarchivedBodies() {
    return state.bodies().unarchived();
  }

  /** Whose signatures of an outer transaction can matter: the payer's. */
  public Set<PublicKey> keysOf(EntityId account) {
    var keys = new TreeSet<PublicKey>();
    account(account).ifPresent(known -> known.key().forEachPublicKey(keys::add));
    return keys;
  }

  /** Whose signatures over a body can count, if it were scheduled by {@code creator}. */
  public Set<PublicKey> keysToSign(Creation creation, EntityId creator) {
    return RequiredKeys.of(state.entities(), settings.profile(), creation, creator)
        .map(RequiredKeys::publicKeys)
        .orElse(Set.of());
  }

  /** Whose signatures over the body of a schedule that waits can count, also those it has. */
  public Set<PublicKey> keysToSign(EntityId schedule) {
    return terms(schedule)
        .map(terms -> keysToSign(terms.creation(), terms.creator()))
        .orElse(Set.of());
  }

  /** Those of them that have not signed yet. */
  public Set<PublicKey> keysMissing(EntityId schedule) {
    var keys = new TreeSet<>(keysToSign(schedule));
    keys.removeAll(state.waiting().signers(schedule));
    return keys;
  }

  /** The admin key of a schedule that waits. */
  public Set<PublicKey> adminKeysOf(EntityId schedule) {
    var keys = new TreeSet<PublicKey>();
    MultiSignature.find(view, schedule)
        .flatMap(found -> MultiSignature.terms(found).creation().adminKey())
        .ifPresent(key -> key.forEachPublicKey(keys::add));
    return keys;
  }

  /** The terms of a schedule that waits. */
  public Optional<MultiSignatureTerms> terms(EntityId schedule) {
    return MultiSignature.find(view, schedule).map(MultiSignature::terms);
  }
}
