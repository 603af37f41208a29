package dev.sequitur.domain;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.Domain.States;
import dev.sequitur.protocol.transaction.PrivateState;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A lock of {@code noto}: coins that only its spender may free. It is a state of its own, schema
 * {@code NotoLockInfo}, lookup its id, which each change spends and makes anew; so that a lock has
 * one spender and one outcome at a time, whoever asks for another at the same moment. What lies in
 * it is one {@code NotoLockedCoin}, lookup the id too; none if it is a lock of nothing.
 *
 * @param spender who may end or hand on the lock: its owner, until he names another
 * @param amount what lies in it
 */
record Lock(
    Hash id, Identity owner, Identity spender, BigInteger amount, Optional<LockOutcome> outcome) {
  static final String SCHEMA = "NotoLockInfo";
  static final String COIN_SCHEMA = "NotoLockedCoin";

  static final String ID = "lockId";
  static final String OWNER = "owner";
  static final String SPENDER = "spender";
  static final String AMOUNT = "amount";

  private static final String OUTCOME = "spend";
  private static final String INTENT = "intent";
  private static final String SALT = "salt";

  /** As those see it who look for locks and for what lies in them. */
  static final List<Domain.StateSchema> DESCRIBED =
      List.of(
          new Domain.StateSchema(
              COIN_SCHEMA,
              List.of(
                  new Domain.Label(ID, false),
                  new Domain.Label(OWNER, false),
                  new Domain.Label(AMOUNT, true))),
          new Domain.StateSchema(
              SCHEMA,
              List.of(
                  new Domain.Label(ID, false),
                  new Domain.Label(OWNER, false),
                  new Domain.Label(SPENDER, false))));

  /** A lock with what is to be spent for its end. */
  record Held(Lock lock, PrivateState info, Optional<PrivateState> coin) {
    List<PrivateState> states() {
      var states = new ArrayList<PrivateState>();
      states.add(info);
      coin.ifPresent(states::add);
      return states;
    }
  }

  /** The id of the lock that a transaction makes. No other transaction makes one of that id. */
  static Hash idOf(Given given) {
    return new CanonicalDigest()
        .add("sequitur noto lock")
        .add(given.intentHash())
        .add(given.transaction().salt())
        .finish();
  }

  Lock delegatedTo(Identity delegate) {
    return new Lock(id, owner, delegate, amount, outcome);
  }

  Lock prepared(LockOutcome prepared) {
    return new Lock(id, owner, spender, amount, Optional.of(prepared));
  }

  /** The data of its state, but for salt and intent. */
  WrittenState written(Accounts accounts) {
    var data =
        CanonicalJson.object()
            .put(ID, id.toString())
            .put(OWNER, accounts.address(owner))
            .put(SPENDER, accounts.address(spender))
            .put(AMOUNT, amount.toString());
    outcome.ifPresent(known -> data.set(OUTCOME, known.json(accounts)));
    return new WrittenState(SCHEMA, id.toString(), data);
  }

  /** The data of what lies in it, but for salt and intent; nothing if nothing does. */
  Optional<WrittenState> writtenCoin(Accounts accounts) {
    return isOfNothing()
        ? Optional.empty()
        : Optional.of(new WrittenState(COIN_SCHEMA, id.toString(), coinData(accounts)));
  }

  private ObjectNode coinData(Accounts accounts) {
    return CanonicalJson.object()
        .put(ID, id.toString())
        .put(OWNER, accounts.address(owner))
        .put(AMOUNT, amount.toString());
  }

  /**
   * @throws RuleViolation if the state is no lock in canonical form
   */
  static Lock of(Accounts accounts, PrivateState state) {
    var fields =
        StateContent.open(
            state, SCHEMA, List.of(ID, OWNER, SPENDER, AMOUNT, OUTCOME, INTENT, SALT));
    return new Lock(
        fields.hash(ID),
        fields.identity(OWNER, accounts::everMember),
        fields.identity(SPENDER, accounts::everMember),
        fields.wholeNumber(AMOUNT),
        fields.has(OUTCOME)
            ? Optional.of(LockOutcome.of(accounts, fields.required(OUTCOME)))
            : Optional.empty());
  }

  /**
   * @param states those that a transaction spends: the lock, and what lies in it
   * @throws RuleViolation if they are not just those
   */
  static Lock ended(Accounts accounts, Hash id, List<PrivateState> states) {
    var lock = changed(accounts, id, states.subList(0, Math.min(1, states.size())));
    RuleViolation.unless(
        states.size() == (lock.isOfNothing() ? 1 : 2),
        "Who ends a lock spends the lock and what lies in it, and nothing else.");
    RuleViolation.unless(
        lock.isOfNothing() || lock.isCoin(accounts, states.get(1)),
        "What is spent does not match the intent.");
    return lock;
  }

  private boolean isOfNothing() {
    return amount.signum() == 0;
  }

  /** Whether a state says just this, with the addresses that its members have or had. */
  private boolean isInfo(Accounts accounts, PrivateState state) {
    return accounts.each(members()).anyMatch(then -> written(then).isLike(state));
  }

  private boolean isCoin(Accounts accounts, PrivateState state) {
    return accounts
        .each(List.of(owner))
        .flatMap(then -> writtenCoin(then).stream())
        .anyMatch(written -> written.isLike(state));
  }

  /** Nobody endorses for a delegate that was removed: the lock is its owner's again. */
  private Lock now(Accounts accounts) {
    return accounts.committee().member(spender).isPresent() ? this : delegatedTo(owner);
  }

  /** All whom it names. */
  List<Identity> members() {
    var members = new ArrayList<>(List.of(owner, spender));
    outcome.ifPresent(known -> known.payments().forEach(payment -> members.add(payment.to())));
    return members;
  }

  /**
   * @param states those that a transaction spends: the lock
   * @throws RuleViolation if it is not just that
   */
  static Lock changed(Accounts accounts, Hash id, List<PrivateState> states) {
    RuleViolation.unless(
        states.size() == 1, "Who changes a lock spends its state and nothing else.");
    var lock = of(accounts, states.get(0));
    RuleViolation.unless(
        lock.id().equals(id) && lock.isInfo(accounts, states.get(0)),
        "The lock that is spent is not the one of the intent.");
    return lock.now(accounts);
  }

  /**
   * Finds a lock among the states that this node holds.
   *
   * @throws RuleViolation one that may pass, if there is none
   */
  static Held find(PrivacyGroup group, Accounts accounts, Hash id, States states) {
    for (var info : states.available(SCHEMA, id.toString())) {
      var lock = usable(group, accounts, id, info);
      if (lock.isPresent()) {
        return new Held(lock.get(), info, coin(group, accounts, lock.get(), states));
      }
    }
    throw none();
  }

  private static Optional<Lock> usable(
      PrivacyGroup group, Accounts accounts, Hash id, PrivateState info) {
    if (!StateContent.isUsable(group, info)) {
      return Optional.empty();
    }
    try {
      return Optional.of(changed(accounts, id, List.of(info)));
    } catch (RuleViolation e) {
      return Optional.empty(); // no endorser takes it
    }
  }

  private static Optional<PrivateState> coin(
      PrivacyGroup group, Accounts accounts, Lock lock, States states) {
    if (lock.isOfNothing()) {
      return Optional.empty();
    }
    for (var coin : states.available(COIN_SCHEMA, lock.id().toString())) {
      if (StateContent.isUsable(group, coin) && lock.isCoin(accounts, coin)) {
        return Optional.of(coin);
      }
    }
    throw none();
  }

  private static RuleViolation none() {
    return RuleViolation.now(
        "There is no such lock: take 'lockId' from the domain's receipt of the transaction that"
            + " made it, unless it has been spent or cancelled.");
  }
}
