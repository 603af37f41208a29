package dev.sequitur.domain;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.Domain.Changes;
import dev.sequitur.protocol.port.Domain.StateSchema;
import dev.sequitur.protocol.transaction.PrivateState;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a transaction of {@code noto} has done, as Paladin's clients read it: its states by kind,
 * who has paid whom, and the lock that it has made or changed. It is made from the states, so that
 * each node which holds them writes the same.
 *
 * @param minter the only one who may mint, if there is such a one
 * @param asked who has sent it, on the sender's own node. The states tell it to the others: only
 *     the owner spends coins, only its spender changes a lock, and where all may mint, a mint has a
 *     {@code TransactionData} in any case
 */
record NotoReceipt(
    Accounts accounts, Optional<Identity> minter, Optional<Identity> asked, Changes changes) {
  private static final String DATA_SCHEMA = "TransactionData";
  private static final String DATA = "data";
  private static final String FROM = "from";
  private static final String AMOUNT = "amount";
  private static final String OWNER = "owner";

  /** As those see it who look for the data of transactions. */
  static final StateSchema DESCRIBED =
      new StateSchema(DATA_SCHEMA, List.of(new Domain.Label(FROM, false)));

  /**
   * The state that holds what an application has sent along, and who it is; it is never spent.
   *
   * @param sender the address of his key
   */
  static WrittenState data(String sender, String data) {
    return new WrittenState(
        DATA_SCHEMA, sender, CanonicalJson.object().put(FROM, sender).put(DATA, data));
  }

  ObjectNode json() {
    var receipt = CanonicalJson.object();
    states(receipt.putObject("states"));
    transfers(receipt);
    of(changes.made(), Lock.SCHEMA).stream()
        .findFirst()
        .ifPresent(state -> receipt.set("lockInfo", lockInfo(Lock.of(accounts, state), state)));
    receipt.put(DATA, NotoInputs.NO_DATA);
    sender().ifPresent(it -> receipt.put("sender", it));
    for (var state : of(changes.made(), DATA_SCHEMA)) {
      var told = StateContent.read(state);
      receipt.put(DATA, told.path(DATA).asText()).put("sender", told.path(FROM).asText());
    }
    return receipt;
  }

  private Optional<String> sender() {
    return asked
        .filter(it -> accounts.committee().member(it).isPresent())
        .map(accounts::address)
        .or(() -> named(changes.spent(), Lock.SCHEMA, Lock.SPENDER))
        .or(() -> named(changes.spent(), Accounts.COIN, OWNER))
        .or(() -> named(changes.made(), Lock.SCHEMA, OWNER))
        .or(() -> minter.map(accounts::address));
  }

  private static Optional<String> named(List<PrivateState> states, String schema, String field) {
    return of(states, schema).stream()
        .findFirst()
        .map(state -> StateContent.read(state).path(field).asText());
  }

  private void states(ObjectNode states) {
    put(states, "inputs", of(changes.spent(), Accounts.COIN));
    put(states, "lockedInputs", of(changes.spent(), Lock.COIN_SCHEMA));
    put(states, "outputs", of(changes.made(), Accounts.COIN));
    put(states, "lockedOutputs", of(changes.made(), Lock.COIN_SCHEMA));
    put(states, "updatedLockInfo", of(changes.made(), Lock.SCHEMA));
  }

  private static List<PrivateState> of(List<PrivateState> states, String schema) {
    return states.stream().filter(state -> state.schema().equals(schema)).toList();
  }

  private static void put(ObjectNode object, String name, List<PrivateState> states) {
    if (states.isEmpty()) {
      return;
    }
    var list = object.putArray(name);
    for (var state : states) {
      list.addObject()
          .put("id", state.id().toString())
          .put("schema", StateSchema.id(NotoDomain.NAME, state.schema()).toString())
          .set("data", StateContent.read(state));
    }
  }

  /**
   * Who has paid whom, all of one owner's coins, locked ones too. Minting has nobody who pays,
   * burning nobody who gets.
   */
  private void transfers(ObjectNode receipt) {
    var spent = byOwner(changes.spent());
    var made = byOwner(changes.made());
    if (spent.size() > 1) {
      return; // nobody endorses that
    }
    var from = spent.keySet().stream().findFirst();
    var others = new LinkedHashMap<>(made);
    from.ifPresent(others::remove);
    var paid =
        from.map(owner -> spent.get(owner).subtract(made.getOrDefault(owner, BigInteger.ZERO)))
            .orElse(BigInteger.ZERO);
    var transfers = CanonicalJson.object().putArray("transfers");
    others.forEach(
        (to, amount) -> {
          var transfer = transfers.addObject().put("to", to).put(AMOUNT, amount.toString());
          from.ifPresent(owner -> transfer.put(FROM, owner));
        });
    if (others.isEmpty() && paid.signum() > 0) {
      transfers.addObject().put(FROM, from.orElseThrow()).put(AMOUNT, paid.toString());
    }
    if (!transfers.isEmpty()) {
      receipt.set("transfers", transfers);
    }
  }

  /** Whatever key an owner had when a coin was made, it is one owner. */
  private Map<String, BigInteger> byOwner(List<PrivateState> states) {
    var amounts = new LinkedHashMap<String, BigInteger>();
    for (var state : states) {
      if (state.schema().equals(Accounts.COIN) || state.schema().equals(Lock.COIN_SCHEMA)) {
        var coin = StateContent.read(state);
        amounts.merge(
            nowOf(coin.path(OWNER).asText()),
            new BigInteger(coin.path(AMOUNT).asText()),
            BigInteger::add);
      }
    }
    return amounts;
  }

  private String nowOf(String address) {
    try {
      return accounts.find(new LedgerAddress(address)).map(accounts::address).orElse(address);
    } catch (IllegalArgumentException e) {
      return address; // nobody endorses that
    }
  }

  private ObjectNode lockInfo(Lock lock, PrivateState state) {
    var info = CanonicalJson.object().put(Lock.ID, lock.id().toString());
    if (!lock.spender().equals(lock.owner())) {
      info.put("delegate", accounts.lastAddress(lock.spender()));
    }
    lock.outcome()
        .ifPresent(
            outcome -> {
              info.put("spendTxId", state.id().toString())
                  .put("unlockFunction", NotoDomain.SPEND_LOCK)
                  .put("cancelFunction", NotoDomain.CANCEL_LOCK);
              var spending = settling(NotoDomain.SPEND_LOCK, lock, outcome);
              var cancelling = settling(NotoDomain.CANCEL_LOCK, lock, outcome);
              put(info.putObject("unlockParams"), NotoDomain.SPEND_ARGS.name(), spending);
              put(info.putObject("cancelParams"), NotoDomain.CANCEL_ARGS.name(), cancelling);
              info.put("unlockCall", spending.encoded().toHex())
                  .put("cancelCall", cancelling.encoded().toHex());
            });
    return info;
  }

  private static NotoPublicCall settling(String function, Lock lock, LockOutcome outcome) {
    return new NotoPublicCall(function, lock.id(), NotoInputs.NO_DATA, outcome.data());
  }

  private static void put(ObjectNode parameters, String arguments, NotoPublicCall call) {
    parameters
        .put(Lock.ID, call.lock().toString())
        .put(arguments, call.arguments())
        .put(DATA, call.data());
  }
}
