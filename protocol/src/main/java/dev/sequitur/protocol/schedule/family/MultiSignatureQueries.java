package dev.sequitur.protocol.schedule.family;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.schedule.family.MultiSignatureAnswer.InfoFound;
import dev.sequitur.protocol.schedule.family.MultiSignatureAnswer.SigningKeys;
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
import java.util.TreeSet;

/** Answers {@link MultiSignatureQuery}, at the time of the view. */
public final class MultiSignatureQueries {
  private final MultiSignatureSettings settings;
  private final QueueView view;
  private final MultiSignatureState state;

  public MultiSignatureQueries(MultiSignature family, QueueView view) {
    this.settings = family.settings();
    this.view = view;
    this.state = MultiSignature.state(view);
  }

  /** In {@code mvp} only what can still be signed; in {@code current} until it would expire. */
  public InfoFound getInfo(EntityId id) {
    boolean mvp = settings.profile() == Profile.MVP;
    var waiting = mvp ? MultiSignature.find(view, id) : view.schedule(id.schedule());
    var closed = state.closed().schedules().get(id);
    if (closed != null) {
      return found(closed);
    } else if (waiting.isPresent()) {
      var signers = List.copyOf(new TreeSet<>(state.waiting().signers(id)));
      var terms = MultiSignature.terms(waiting.get());
      return new InfoFound(
          ResponseCode.OK,
          Optional.of(new ScheduleInfo(terms, signers, Optional.empty(), Optional.empty())));
    }
    // A number is used once, so what is no account was a schedule.
    boolean known =
        id.compareTo(EntityId.FIRST) >= 0
            && id.compareTo(state.entities().next()) < 0
            && state.entities().account(id).isEmpty();
    return new InfoFound(
        mvp && known ? ResponseCode.SCHEDULE_DELETED : ResponseCode.INVALID_SCHEDULE_ID,
        Optional.empty());
  }

  private static InfoFound found(ClosedSchedule closed) {
    var at = Optional.of(closed.at());
    var info =
        new ScheduleInfo(
            closed.terms(),
            List.copyOf(closed.signers()),
            closed.executed() ? Optional.empty() : at,
            closed.executed() ? at : Optional.empty());
    return new InfoFound(ResponseCode.OK, Optional.of(info));
  }

  public List<TransactionRecord> records(TransactionId id) {
    return state.records().of(id);
  }

  public Optional<Account> account(EntityId id) {
    return state.entities().account(id);
  }

  /** The terms of a schedule that can still be signed. */
  public Optional<MultiSignatureTerms> terms(EntityId schedule) {
    return MultiSignature.find(view, schedule).map(MultiSignature::terms);
  }

  public List<EntityId> waitingFor(List<PublicKey> keys, List<EntityId> among) {
    return among.stream().filter(id -> keysMissing(id).stream().anyMatch(keys::contains)).toList();
  }

  /** Those of the keys that can sign for it which have not signed yet. */
  public Set<PublicKey> keysMissing(EntityId schedule) {
    var keys = new TreeSet<>(keysToSign(schedule));
    keys.removeAll(state.waiting().signers(schedule));
    return keys;
  }

  SigningKeys keysToCreate(EntityId payer, Creation creation) {
    var inner = keysToSign(creation, payer);
    var outer = keysOf(List.of(payer));
    outer.addAll(inner);
    creation.adminKey().ifPresent(key -> key.forEachPublicKey(outer::add));
    return keys(outer, inner, creation.transaction().bytes());
  }

  SigningKeys keysOfSchedule(EntityId payer, EntityId schedule) {
    var terms = terms(schedule);
    var inner = keysToSign(schedule);
    var outer = keysOf(List.of(payer));
    outer.addAll(inner);
    terms
        .flatMap(known -> known.creation().adminKey())
        .ifPresent(key -> key.forEachPublicKey(outer::add));
    var body = terms.map(known -> known.creation().transaction().bytes()).orElse(Bytes.EMPTY);
    return keys(outer, inner, body);
  }

  SigningKeys keysOfAccounts(List<EntityId> accounts) {
    return keys(keysOf(accounts), Set.of(), Bytes.EMPTY);
  }

  private SigningKeys keys(Set<PublicKey> outer, Set<PublicKey> inner, Bytes body) {
    return new SigningKeys(List.copyOf(outer), List.copyOf(inner), body, state.bodies().stored());
  }

  private Set<PublicKey> keysOf(List<EntityId> accounts) {
    var keys = new TreeSet<PublicKey>();
    for (var account : accounts) {
      account(account).ifPresent(known -> known.key().forEachPublicKey(keys::add));
    }
    return keys;
  }

  private Set<PublicKey> keysToSign(Creation creation, EntityId creator) {
    return RequiredKeys.of(state.entities(), settings.profile(), creation, creator)
        .map(RequiredKeys::publicKeys)
        .orElse(Set.of());
  }

  private Set<PublicKey> keysToSign(EntityId schedule) {
    return terms(schedule)
        .map(terms -> keysToSign(terms.creation(), terms.creator()))
        .orElse(Set.of());
  }
}
