package dev.sequitur.domain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sequitur.domain.NotoIntent.Burn;
import dev.sequitur.domain.NotoIntent.Create;
import dev.sequitur.domain.NotoIntent.Delegate;
import dev.sequitur.domain.NotoIntent.Mint;
import dev.sequitur.domain.NotoIntent.Prepare;
import dev.sequitur.domain.NotoIntent.Settle;
import dev.sequitur.domain.NotoIntent.Transfer;
import dev.sequitur.domain.NotoIntent.Unlock;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.port.Signatures;
import dev.sequitur.protocol.transaction.PrivateState;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * {@code noto}: coins as {@code token} has them, with the functions that applications of Paladin
 * call, and locks.
 *
 * <ul>
 *   <li>{@code mint {to, amount, data}}: by the notary, unless the group lets everybody;
 *   <li>{@code transfer {to, amount, data}}, {@code burn {amount, data}};
 *   <li>{@code createLock {amount, data}}, also called {@code lock}: coins that only the lock's
 *       spender may free, who is its owner at first;
 *   <li>{@code prepareUnlock}, {@code prepareMintUnlock}, {@code prepareBurnUnlock}: the owner says
 *       what becomes of the lock; {@code createTransferLock}, {@code createMintLock}, {@code
 *       createBurnLock} do both at once;
 *   <li>{@code delegateLock {lockId, delegate, data}}: the spender names another one, by the
 *       address of his key;
 *   <li>{@code unlock {lockId, from, recipients, data}}: the owner, while he is the spender, ends
 *       the lock as he likes; {@code spendLock {lockId}}: the spender ends it as it was prepared;
 *       {@code cancelLock {lockId}}: he gives it back to its owner;
 *   <li>calls {@code name}, {@code symbol}, {@code decimals}, {@code balanceOf {account}} → {@code
 *       {totalBalance, totalStates, overflow}}.
 * </ul>
 *
 * Owners are members of the group, named in the states by the addresses of their keys. What has
 * {@code data} makes one state more, which holds it.
 */
public final class NotoDomain extends CommitteeDomain<NotoIntent> {
  public static final String NAME = "noto";

  static final String MINT = "mint";
  static final String TRANSFER = "transfer";
  static final String BURN = "burn";
  static final String LOCK = "lock";
  static final String CREATE_LOCK = "createLock";
  static final String CREATE_TRANSFER_LOCK = "createTransferLock";
  static final String CREATE_MINT_LOCK = "createMintLock";
  static final String CREATE_BURN_LOCK = "createBurnLock";
  static final String PREPARE_UNLOCK = "prepareUnlock";
  static final String PREPARE_MINT_UNLOCK = "prepareMintUnlock";
  static final String PREPARE_BURN_UNLOCK = "prepareBurnUnlock";
  static final String DELEGATE_LOCK = "delegateLock";
  static final String UNLOCK = "unlock";
  static final String SPEND_LOCK = "spendLock";
  static final String CANCEL_LOCK = "cancelLock";
  static final String TRANSFER_FROM = "transferFrom";
  static final String BURN_FROM = "burnFrom";

  static final String SPEND_ARGS = "spendArgs";
  static final String CANCEL_ARGS = "cancelArgs";

  static final int MAX_COUNTED = 1000;

  private static final String TO = "to";
  private static final String FROM = "from";
  private static final String AMOUNT = "amount";
  private static final String DATA = "data";
  private static final String UNLOCK_DATA = "unlockData";
  private static final String LOCK_ID = "lockId";
  private static final String RECIPIENTS = "recipients";
  private static final String DELEGATE = "delegate";
  private static final String ACCOUNT = "account";

  private final Signatures signatures;

  /**
   * @param signatures tell the addresses of keys
   */
  public NotoDomain(Signatures signatures) {
    super(
        NAME,
        List.of(
            MINT,
            TRANSFER,
            BURN,
            LOCK,
            CREATE_LOCK,
            CREATE_TRANSFER_LOCK,
            CREATE_MINT_LOCK,
            CREATE_BURN_LOCK,
            PREPARE_UNLOCK,
            PREPARE_MINT_UNLOCK,
            PREPARE_BURN_UNLOCK,
            DELEGATE_LOCK,
            UNLOCK,
            SPEND_LOCK,
            CANCEL_LOCK,
            TRANSFER_FROM,
            BURN_FROM),
        NotoConfiguration.FIELDS);
    this.signatures = signatures;
  }

  @Override
  protected void checkOwnConfiguration(Bytes configuration) {
    NotoConfiguration.of(GroupConfiguration.fields(configuration, NotoConfiguration.FIELDS));
  }

  @Override
  public Construction construct(Identity from, Bytes inputs) {
    try {
      return NotoConfiguration.constructed(from, inputs);
    } catch (RuleViolation e) {
      return new Construction.Refused(e.getMessage());
    }
  }

  @Override
  public Set<String> calledPublicly() {
    return Set.of(SPEND_LOCK, CANCEL_LOCK);
  }

  @Override
  public Optional<PrivateCall> calledBy(Bytes data) {
    return NotoPublicCall.of(data)
        .map(
            call ->
                new PrivateCall(
                    call.function(),
                    CanonicalJson.write(
                        CanonicalJson.object()
                            .put(LOCK_ID, call.lock().toString())
                            .put(DATA, call.data()))));
  }

  @Override
  protected List<Identity> endorsers(Given given) {
    var configuration = NotoConfiguration.of(given.group());
    return configuration.endorsedByNotary()
        ? configuration.notary().stream().toList()
        : super.endorsers(given);
  }

  private Accounts accounts(PrivacyGroup group) {
    return new Accounts(group.committee(), signatures);
  }

  @Override
  protected NotoIntent intent(Given given, JsonNode inputs) {
    var configuration = NotoConfiguration.of(given.group());
    configuration
        .notary()
        .ifPresent(
            notary ->
                RuleViolation.unless(
                    given.committee().member(notary).isPresent(),
                    "The group's notary is no member of it: make a group with him."));
    var intent = read(given, inputs);
    check(given, configuration, intent);
    return intent;
  }

  private NotoIntent read(Given given, JsonNode inputs) {
    return switch (given.transaction().function()) {
      case MINT -> {
        var fields = fields(given, inputs, TO, AMOUNT);
        yield new Mint(fields.payment(), fields.data(DATA));
      }
      case TRANSFER -> {
        var fields = fields(given, inputs, TO, AMOUNT);
        yield new Transfer(fields.payment(), fields.data(DATA));
      }
      case BURN -> {
        var fields = fields(given, inputs, AMOUNT);
        yield new Burn(fields.positive(AMOUNT), fields.data(DATA));
      }
      case TRANSFER_FROM, BURN_FROM ->
          throw new RuleViolation(
              "A group whose 'notaryMode' is 'basic' has no "
                  + given.transaction().function()
                  + ": the owner of the coins sends it himself, as transfer or burn.");
      default -> readOfLocks(given, inputs);
    };
  }

  private NotoIntent readOfLocks(Given given, JsonNode inputs) {
    return switch (given.transaction().function()) {
      case LOCK, CREATE_LOCK -> {
        var fields = fields(given, inputs, AMOUNT);
        yield new Create(fields.positiveOrZero(AMOUNT), Optional.empty(), fields.data(DATA));
      }
      case CREATE_TRANSFER_LOCK -> {
        var fields = fields(given, inputs, FROM, RECIPIENTS, UNLOCK_DATA);
        fields.requireFromSender(FROM);
        var outcome = LockOutcome.transfer(fields.recipients(), fields.data(UNLOCK_DATA));
        yield new Create(outcome.cost(), Optional.of(outcome), fields.data(DATA));
      }
      case CREATE_MINT_LOCK -> {
        var fields = fields(given, inputs, RECIPIENTS, UNLOCK_DATA);
        var outcome = LockOutcome.mint(fields.recipients(), fields.data(UNLOCK_DATA));
        yield new Create(BigInteger.ZERO, Optional.of(outcome), fields.data(DATA));
      }
      case CREATE_BURN_LOCK -> {
        var fields = fields(given, inputs, FROM, AMOUNT, UNLOCK_DATA);
        fields.requireFromSender(FROM);
        var outcome = LockOutcome.burn(fields.positive(AMOUNT), fields.data(UNLOCK_DATA));
        yield new Create(outcome.cost(), Optional.of(outcome), fields.data(DATA));
      }
      default -> readOfOneLock(given, inputs);
    };
  }

  private NotoIntent readOfOneLock(Given given, JsonNode inputs) {
    switch (given.transaction().function()) {
      case PREPARE_UNLOCK -> {
        var fields = fields(given, inputs, LOCK_ID, FROM, RECIPIENTS, UNLOCK_DATA);
        fields.requireFromSender(FROM);
        var outcome = LockOutcome.transfer(fields.recipients(), fields.data(UNLOCK_DATA));
        return new Prepare(fields.hash(LOCK_ID), outcome, fields.data(DATA));
      }
      case PREPARE_MINT_UNLOCK -> {
        var fields = fields(given, inputs, LOCK_ID, RECIPIENTS, UNLOCK_DATA);
        var outcome = LockOutcome.mint(fields.recipients(), fields.data(UNLOCK_DATA));
        return new Prepare(fields.hash(LOCK_ID), outcome, fields.data(DATA));
      }
      case PREPARE_BURN_UNLOCK -> {
        var fields = fields(given, inputs, LOCK_ID, FROM, AMOUNT, UNLOCK_DATA);
        fields.requireFromSender(FROM);
        var outcome = LockOutcome.burn(fields.positive(AMOUNT), fields.data(UNLOCK_DATA));
        return new Prepare(fields.hash(LOCK_ID), outcome, fields.data(DATA));
      }
      case DELEGATE_LOCK -> {
        var fields = fields(given, inputs, LOCK_ID, DELEGATE);
        var delegate = fields.account(DELEGATE, accounts(given.group()));
        return new Delegate(fields.hash(LOCK_ID), delegate, fields.data(DATA));
      }
      case UNLOCK -> {
        var fields = fields(given, inputs, LOCK_ID, FROM, RECIPIENTS);
        fields.requireFromSender(FROM);
        return new Unlock(fields.hash(LOCK_ID), fields.recipients(), fields.data(DATA));
      }
      case SPEND_LOCK, CANCEL_LOCK -> {
        var fields = fields(given, inputs, LOCK_ID, SPEND_ARGS, CANCEL_ARGS);
        boolean spends = given.transaction().function().equals(SPEND_LOCK);
        return new Settle(fields.hash(LOCK_ID), spends, fields.data(DATA));
      }
      default ->
          throw new IllegalArgumentException("No function: " + given.transaction().function());
    }
  }

  private static NotoInputs fields(Given given, JsonNode inputs, String... names) {
    var allowed = new ArrayList<>(List.of(names));
    allowed.add(DATA);
    return new NotoInputs(given, inputs, allowed);
  }

  private static void check(Given given, NotoConfiguration configuration, NotoIntent intent) {
    if (intent.mints()) {
      RuleViolation.unless(
          !configuration.basic().restrictMint()
              || configuration.notary().equals(Optional.of(given.from())),
          () ->
              "Only the group's notary may mint: send it from "
                  + configuration.notary().orElseThrow()
                  + ".");
    }
    if (intent.burns()) {
      RuleViolation.unless(
          configuration.basic().allowBurn(), "The group's configuration forbids burning.");
    }
    if (intent.locks()) {
      RuleViolation.unless(
          configuration.basic().allowLock(), "The group's configuration forbids locks.");
      RuleViolation.unless(
          intent.cost().signum() == 0 || Amount.isValid(intent.cost()),
          "A lock holds at most 2^256 - 1, so that it can be given back as one coin.");
    }
  }

  @Override
  protected JsonNode specification(Given given, NotoIntent intent) {
    var specification =
        CanonicalJson.object()
            .put("function", given.transaction().function())
            .put(DATA, intent.data());
    intent.lock().ifPresent(id -> specification.put(LOCK_ID, id.toString()));
    switch (intent) {
      case Mint mint -> specify(specification, List.of(mint.payment()));
      case Transfer transfer -> specify(specification, List.of(transfer.payment()));
      case Burn burn -> specification.put(AMOUNT, burn.cost().toString());
      case Create create -> {
        specification.put(AMOUNT, create.cost().toString());
        create.outcome().ifPresent(outcome -> specify(given, specification, outcome));
      }
      case Prepare prepare -> specify(given, specification, prepare.outcome());
      case Delegate delegate -> specification.put(DELEGATE, delegate.to().toString());
      case Unlock unlock -> specify(specification, unlock.payments());
      case Settle settle -> specification.put("spends", settle.spends());
    }
    return specification;
  }

  private void specify(Given given, ObjectNode specification, LockOutcome outcome) {
    specification.set("outcome", outcome.json(accounts(given.group())));
  }

  private static void specify(ObjectNode specification, List<Payment> payments) {
    Payment.write(payments, Identity::toString, specification.putArray("outputs"));
  }

  @Override
  protected void checkAffordable(Given given, NotoIntent intent, States states) {
    made(given, intent, inputs(given, intent, states));
  }

  @Override
  protected boolean mayHelp(
      Objection objection, Wanted<NotoIntent> wanted, Wanted<NotoIntent> other) {
    var lock = wanted.intent().lock();
    if (lock.isPresent()) {
      return other.intent().lock().equals(lock)
          || (other.intent().locks() && Lock.idOf(other.given()).equals(lock.get()));
    }
    var owner = wanted.given().from();
    boolean isOwn = other.given().from().equals(owner);
    if (isOwn && objection.reason().equals(CoinSelection.TOO_MANY_COINS)) {
      return true;
    }
    return other.intent().mayPay(owner) && !(isOwn && other.intent().cost().signum() > 0);
  }

  /** Chooses what an intent spends. */
  private List<PrivateState> inputs(Given given, NotoIntent intent, States states) {
    var accounts = accounts(given.group());
    if (intent.lock().isPresent()) {
      var held = Lock.find(given.group(), accounts, intent.lock().get(), states);
      return intent.unlocks() ? held.states() : List.of(held.info());
    }
    return intent.cost().signum() == 0
        ? List.of()
        : CoinSelection.choose(accounts.coins(), given, states, intent.cost()).states();
  }

  @Override
  protected Movement move(Given given, NotoIntent intent, States states, Salts.Secret secret) {
    var inputs = inputs(given, intent, states);
    var made = made(given, intent, inputs);
    var outputs = new NewStates(given, secret, inputs);
    Conservation.make(accounts(given.group()).coins(), made.coins(), outputs);
    made.others().forEach(other -> other.make(outputs));
    return new Movement(inputs, List.of(), outputs.made());
  }

  @Override
  protected void checkMovement(Given given, NotoIntent intent, Movement movement) {
    RuleViolation.unless(movement.reads().isEmpty(), "A transaction of noto reads no states.");
    var made = made(given, intent, movement.inputs());
    var outputs = movement.outputs();
    int coins = made.coins().size();
    RuleViolation.unless(
        outputs.size() == coins + made.others().size(),
        "The states that are made do not match the intent.");
    Conservation.check(
        accounts(given.group()).coins(),
        given.intentHash(),
        made.coins(),
        outputs.subList(0, coins));
    for (int i = 0; i < made.others().size(); i++) {
      made.others().get(i).check(given.intentHash(), outputs.get(coins + i));
    }
  }

  /** What a transaction makes: first coins, then what lies in a lock, the lock, and the data. */
  private record Made(List<Payment> coins, List<WrittenState> others) {
    static Made lock(List<Payment> coins, Lock lock, Accounts accounts) {
      return new Made(
          coins,
          Stream.concat(lock.writtenCoin(accounts).stream(), Stream.of(lock.written(accounts)))
              .toList());
    }

    static Made coins(List<Payment> coins) {
      return new Made(coins, List.of());
    }

    Made with(Optional<WrittenState> data) {
      return new Made(coins, Stream.concat(others.stream(), data.stream()).toList());
    }
  }

  /**
   * What follows from an intent and what it spends: the sender makes it, and each endorser
   * compares.
   *
   * @throws RuleViolation if the intent may not spend that
   */
  private Made made(Given given, NotoIntent intent, List<PrivateState> inputs) {
    var accounts = accounts(given.group());
    return switch (intent) {
      case Mint mint -> paid(given, List.of(mint.payment()), intent, inputs);
      case Transfer transfer -> paid(given, List.of(transfer.payment()), intent, inputs);
      case Burn ignored -> paid(given, List.of(), intent, inputs);
      case Create create -> {
        var owner = given.from();
        var lock = new Lock(Lock.idOf(given), owner, owner, create.cost(), create.outcome());
        var change = Conservation.paid(accounts.coins(), owner, List.of(), create.cost(), inputs);
        yield Made.lock(change, lock, accounts).with(data(given, intent.data()));
      }
      case Prepare(var id, var outcome, var data) -> {
        var lock = Lock.changed(accounts, id, inputs);
        requireOwner(given, lock);
        requireFits(lock, outcome);
        yield changed(lock.prepared(outcome), accounts).with(data(given, data));
      }
      case Delegate(var id, var to, var data) -> {
        var lock = Lock.changed(accounts, id, inputs);
        requireSpender(given, lock);
        yield changed(lock.delegatedTo(to), accounts).with(data(given, data));
      }
      case Unlock(var id, var payments, var data) -> {
        var lock = Lock.ended(accounts, id, inputs);
        requireOwner(given, lock);
        requireCovered(lock, Payment.sum(payments));
        yield ended(lock, payments, Payment.sum(payments)).with(data(given, data));
      }
      case Settle settle -> settled(given, settle, Lock.ended(accounts, settle.id(), inputs));
    };
  }

  private Made settled(Given given, Settle settle, Lock lock) {
    requireSpender(given, lock);
    var told =
        lock.outcome()
            .map(LockOutcome::data)
            .filter(data -> !data.equals(NotoInputs.NO_DATA))
            .orElse(settle.data());
    if (!settle.spends()) {
      return ended(lock, List.of(), BigInteger.ZERO).with(data(given, told));
    }
    if (lock.outcome().isEmpty()) {
      throw RuleViolation.now(
          "The lock is not prepared: its owner says by prepareUnlock what becomes of it.");
    }
    var outcome = lock.outcome().get();
    return ended(lock, outcome.payments(), outcome.cost()).with(data(given, told));
  }

  private Made paid(
      Given given, List<Payment> payments, NotoIntent intent, List<PrivateState> inputs) {
    var coins = accounts(given.group()).coins();
    return Made.coins(Conservation.paid(coins, given.from(), payments, intent.cost(), inputs))
        .with(data(given, intent.data()));
  }

  private static Made changed(Lock lock, Accounts accounts) {
    return new Made(List.of(), List.of(lock.written(accounts)));
  }

  /** What lies in a lock pays its outcome, and the rest is its owner's again. */
  private static Made ended(Lock lock, List<Payment> payments, BigInteger cost) {
    return Made.coins(Conservation.withChange(payments, cost, lock.owner(), lock.amount()));
  }

  private Optional<WrittenState> data(Given given, String data) {
    return NotoReceipt.data(accounts(given.group()).address(given.from()), data);
  }

  private static void requireSpender(Given given, Lock lock) {
    if (!lock.spender().equals(given.from())) {
      throw RuleViolation.now(
          "Only the lock's spender may do that: its owner, or whom delegateLock has named last.");
    }
  }

  private static void requireOwner(Given given, Lock lock) {
    if (!lock.owner().equals(given.from()) || !lock.spender().equals(given.from())) {
      throw RuleViolation.now(
          "Only the lock's owner may do that, and only while the lock is delegated to nobody"
              + " else.");
    }
  }

  private static void requireFits(Lock lock, LockOutcome outcome) {
    if (outcome.mints() && lock.amount().signum() > 0) {
      throw RuleViolation.now(
          "Minted coins come out of a lock of nothing only: create one with the amount 0.");
    }
    requireCovered(lock, outcome.cost());
  }

  private static void requireCovered(Lock lock, BigInteger cost) {
    if (cost.compareTo(lock.amount()) > 0) {
      throw RuleViolation.now("The amounts must be together at most what lies in the lock.");
    }
  }

  @Override
  protected JsonNode answer(PrivacyGroup group, Query query, States states) {
    var token = NotoConfiguration.of(group).token();
    return switch (query.function()) {
      case NotoConfiguration.NAME -> TextNode.valueOf(token.name());
      case NotoConfiguration.SYMBOL -> TextNode.valueOf(token.symbol());
      case NotoConfiguration.DECIMALS -> IntNode.valueOf(token.decimals());
      case "balanceOf" -> balance(group, query, states);
      default ->
          throw new RuleViolation(
              "The calls of the noto domain are name, symbol, decimals and balanceOf.");
    };
  }

  private JsonNode balance(PrivacyGroup group, Query query, States states) {
    var coins = accounts(group).coins();
    var account =
        new JsonFields(query.inputs(), "The inputs of balanceOf", List.of(ACCOUNT))
            .member(ACCOUNT, group.committee(), NotoInputs.at(query.from().node()));
    var held =
        StreamSupport.stream(coins.of(account, states).spliterator(), false)
            .flatMap(state -> coins.spendable(group, account, state).stream())
            .limit(MAX_COUNTED)
            .toList();
    var sum =
        held.stream()
            .map(coin -> coin.coin().amount().value())
            .reduce(BigInteger.ZERO, BigInteger::add);
    return CanonicalJson.object()
        .put("totalBalance", sum.toString())
        .put("totalStates", String.valueOf(held.size()))
        .put("overflow", held.size() == MAX_COUNTED);
  }

  @Override
  public Optional<Bytes> receipt(PrivacyGroup group, Optional<Identity> sender, Changes changes) {
    try {
      return Optional.of(
          CanonicalJson.write(new NotoReceipt(accounts(group), sender, changes).json()));
    } catch (RuleViolation | NumberFormatException e) {
      return Optional.empty(); // nobody endorses such states
    }
  }

  @Override
  public List<StateSchema> schemas() {
    return Stream.concat(
            Stream.of(CoinKind.described(Accounts.COIN)),
            Stream.concat(Lock.DESCRIBED.stream(), Stream.of(NotoReceipt.DESCRIBED)))
        .toList();
  }
}
