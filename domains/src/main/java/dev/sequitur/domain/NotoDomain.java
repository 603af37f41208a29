package dev.sequitur.domain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sequitur.domain.NotoInputs.Member;
import dev.sequitur.domain.NotoIntent.Burn;
import dev.sequitur.domain.NotoIntent.Create;
import dev.sequitur.domain.NotoIntent.Delegate;
import dev.sequitur.domain.NotoIntent.Mint;
import dev.sequitur.domain.NotoIntent.Prepare;
import dev.sequitur.domain.NotoIntent.Settle;
import dev.sequitur.domain.NotoIntent.Transfer;
import dev.sequitur.domain.NotoIntent.Unlock;
import dev.sequitur.json.Field;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.Sent;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.port.Signatures;
import dev.sequitur.protocol.transaction.PrivateState;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * {@code noto}: coins as {@code token} has them, with the functions that applications of Paladin
 * call, and locks.
 *
 * <p>Owners are members of the group, named in the states by the addresses of their keys, those of
 * now or, in what was made before a key changed, of then. What has {@code data} makes one state
 * more, which holds it.
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

  static final int MAX_COUNTED = 1000;

  private static final Field<Member> FROM =
      Field.of("from", NotoInputs.MEMBER, "the sender: nobody acts for another");
  private static final Field<BigInteger> POSITIVE =
      Field.of("amount", NotoInputs.POSITIVE, "in the token's smallest unit");
  private static final Field<BigInteger> AMOUNT =
      Field.of("amount", NotoInputs.POSITIVE_OR_ZERO, "in the token's smallest unit");
  private static final Field<String> DATA =
      Field.or("data", NotoInputs.BYTES, NotoInputs.NO_DATA, "told in the receipt");
  private static final Field<String> UNLOCK_DATA =
      Field.or("unlockData", NotoInputs.BYTES, NotoInputs.NO_DATA, "told when the lock ends");
  private static final Field<Hash> LOCK_ID =
      Field.of("lockId", Formats.HASH, "as the receipt of the lock has it");
  private static final Field<List<Sent>> RECIPIENTS =
      Field.of(
          "recipients",
          ObjectFormat.of("noto.recipient", NotoInputs.TO, POSITIVE)
              .list(1, NotoInputs.MAX_RECIPIENTS),
          "who gets what");
  private static final Field<LedgerAddress> DELEGATE =
      Field.of(
          "delegate",
          DomainFormats.text(
              "the address of a member's key",
              "0x1111111111111111111111111111111111111111",
              LedgerAddress::new),
          "who may spend or cancel the lock");
  static final Field<JsonNode> SPEND_ARGS =
      Field.optional("spendArgs", Formats.ANY, "as the public call has them; ignored");
  static final Field<JsonNode> CANCEL_ARGS =
      Field.optional("cancelArgs", Formats.ANY, "as the public call has them; ignored");
  private static final Field<Member> ACCOUNT =
      Field.of("account", NotoInputs.MEMBER, "a member of the group");

  private final Signatures signatures;
  private final List<PrivateFunction<NotoIntent>> functions;
  private final List<PrivateQuery> queries;

  /**
   * @param signatures tell the addresses of keys
   */
  public NotoDomain(Signatures signatures) {
    super(NAME, NotoConfiguration.FIELDS);
    this.signatures = signatures;
    this.functions =
        Stream.of(ofCoins().stream(), ofNewLocks().stream(), ofLocks().stream())
            .flatMap(all -> all)
            .toList();
    this.queries =
        List.of(
            told(NotoConfiguration.NAME, "The token's name.", token -> text(token.name())),
            told(NotoConfiguration.SYMBOL, "The token's symbol.", token -> text(token.symbol())),
            told(
                NotoConfiguration.DECIMALS,
                "How many of an amount's digits stand after the point.",
                token -> IntNode.valueOf(token.decimals())),
            new PrivateQuery(
                "balanceOf",
                "What an account has: `{totalBalance, totalStates, overflow}`, of at most "
                    + MAX_COUNTED
                    + " coins.",
                ObjectFormat.of(NAME + ".balanceOf", ACCOUNT),
                this::balance));
  }

  @Override
  protected List<PrivateFunction<NotoIntent>> privateFunctions() {
    return functions;
  }

  @Override
  protected List<PrivateQuery> privateQueries() {
    return queries;
  }

  private static PrivateFunction<NotoIntent> function(
      String name, String doc, PrivateFunction.Reading<NotoIntent> reading, Field<?>... fields) {
    var inputs = ObjectFormat.of(NAME + "." + name, fields).with(DATA);
    return new PrivateFunction<>(name, doc, inputs, reading);
  }

  private static PrivateQuery told(
      String name, String doc, Function<NotoConfiguration.Token, JsonNode> answer) {
    return new PrivateQuery(
        name,
        doc,
        ObjectFormat.of(NAME + "." + name).open(),
        (asked, inputs) -> answer.apply(NotoConfiguration.of(asked.group()).token()));
  }

  private static JsonNode text(String text) {
    return TextNode.valueOf(text);
  }

  private static List<PrivateFunction<NotoIntent>> ofCoins() {
    return List.of(
        function(
            MINT,
            "Makes coins: by the group's notary, unless its configuration lets all members.",
            (given, inputs) ->
                new Mint(NotoInputs.payment(given, inputs, POSITIVE), inputs.get(DATA)),
            NotoInputs.TO,
            POSITIVE),
        function(
            TRANSFER,
            "Pays a member out of the sender's coins.",
            (given, inputs) ->
                new Transfer(NotoInputs.payment(given, inputs, POSITIVE), inputs.get(DATA)),
            NotoInputs.TO,
            POSITIVE),
        function(
            BURN,
            "Takes an amount of the sender's coins out of the world.",
            (given, inputs) -> new Burn(inputs.get(POSITIVE), inputs.get(DATA)),
            POSITIVE),
        forAnother(TRANSFER_FROM),
        forAnother(BURN_FROM));
  }

  /** Of groups in another mode than ours. */
  private static PrivateFunction<NotoIntent> forAnother(String name) {
    return new PrivateFunction<>(
        name,
        "Refused: the owner of coins sends transfer or burn himself.",
        ObjectFormat.of(NAME + "." + name).open(),
        (given, inputs) -> {
          throw new RuleViolation(
              "A group whose 'notaryMode' is 'basic' has no "
                  + name
                  + ": the owner of the coins sends it himself, as transfer or burn.");
        });
  }

  private static List<PrivateFunction<NotoIntent>> ofNewLocks() {
    PrivateFunction.Reading<NotoIntent> create =
        (given, inputs) -> new Create(inputs.get(AMOUNT), Optional.empty(), inputs.get(DATA));
    return List.of(
        function(LOCK, "Locks an amount of the sender's coins.", create, AMOUNT),
        function(CREATE_LOCK, "As `lock`.", create, AMOUNT),
        function(
            CREATE_TRANSFER_LOCK,
            "Locks what is to be paid to members when the lock is spent.",
            (given, inputs) -> created(transfer(given, inputs), inputs),
            FROM,
            RECIPIENTS,
            UNLOCK_DATA),
        function(
            CREATE_MINT_LOCK,
            "Prepares coins that are made when the lock is spent.",
            (given, inputs) -> {
              var outcome = mint(given, inputs);
              return new Create(BigInteger.ZERO, Optional.of(outcome), inputs.get(DATA));
            },
            RECIPIENTS,
            UNLOCK_DATA),
        function(
            CREATE_BURN_LOCK,
            "Locks what is to be burned when the lock is spent.",
            (given, inputs) -> created(burn(given, inputs), inputs),
            FROM,
            POSITIVE,
            UNLOCK_DATA));
  }

  private static NotoIntent created(LockOutcome outcome, Sent inputs) {
    return new Create(outcome.cost(), Optional.of(outcome), inputs.get(DATA));
  }

  private static LockOutcome transfer(Given given, Sent inputs) {
    NotoInputs.requireFromSender(given, inputs, FROM);
    return LockOutcome.transfer(recipients(given, inputs), inputs.get(UNLOCK_DATA));
  }

  private static LockOutcome mint(Given given, Sent inputs) {
    return LockOutcome.mint(recipients(given, inputs), inputs.get(UNLOCK_DATA));
  }

  private static LockOutcome burn(Given given, Sent inputs) {
    NotoInputs.requireFromSender(given, inputs, FROM);
    return LockOutcome.burn(inputs.get(POSITIVE), inputs.get(UNLOCK_DATA));
  }

  private static List<Payment> recipients(Given given, Sent inputs) {
    return inputs.get(RECIPIENTS).stream()
        .map(recipient -> NotoInputs.payment(given, recipient, POSITIVE))
        .toList();
  }

  private List<PrivateFunction<NotoIntent>> ofLocks() {
    return List.of(
        function(
            PREPARE_UNLOCK,
            "Says to whom the lock's coins go when it is spent.",
            (given, inputs) -> prepared(transfer(given, inputs), inputs),
            LOCK_ID,
            FROM,
            RECIPIENTS,
            UNLOCK_DATA),
        function(
            PREPARE_MINT_UNLOCK,
            "Says what the lock mints when it is spent.",
            (given, inputs) -> prepared(mint(given, inputs), inputs),
            LOCK_ID,
            RECIPIENTS,
            UNLOCK_DATA),
        function(
            PREPARE_BURN_UNLOCK,
            "Says what the lock burns when it is spent.",
            (given, inputs) -> prepared(burn(given, inputs), inputs),
            LOCK_ID,
            FROM,
            POSITIVE,
            UNLOCK_DATA),
        function(
            DELEGATE_LOCK,
            "Names who alone may spend or cancel the lock from then on.",
            (given, inputs) ->
                new Delegate(
                    inputs.get(LOCK_ID),
                    NotoInputs.account(inputs, DELEGATE, accounts(given.group())),
                    inputs.get(DATA)),
            LOCK_ID,
            DELEGATE),
        function(
            UNLOCK,
            "Pays members out of the lock, and the rest to its owner.",
            (given, inputs) -> {
              NotoInputs.requireFromSender(given, inputs, FROM);
              return new Unlock(inputs.get(LOCK_ID), recipients(given, inputs), inputs.get(DATA));
            },
            LOCK_ID,
            FROM,
            RECIPIENTS),
        function(
            SPEND_LOCK,
            "Does what the lock was prepared for.",
            (given, inputs) -> new Settle(inputs.get(LOCK_ID), true, inputs.get(DATA)),
            LOCK_ID,
            SPEND_ARGS,
            CANCEL_ARGS),
        function(
            CANCEL_LOCK,
            "Gives what is locked back to its owner.",
            (given, inputs) -> new Settle(inputs.get(LOCK_ID), false, inputs.get(DATA)),
            LOCK_ID,
            SPEND_ARGS,
            CANCEL_ARGS));
  }

  private static NotoIntent prepared(LockOutcome outcome, Sent inputs) {
    return new Prepare(inputs.get(LOCK_ID), outcome, inputs.get(DATA));
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
                            .put(LOCK_ID.name(), call.lock().toString())
                            .put(DATA.name(), call.data()))));
  }

  @Override
  protected List<Identity> endorsers(Given given) {
    var configuration = NotoConfiguration.of(given.group());
    return configuration.endorsedByNotary()
        ? configuration.notary().stream().toList()
        : super.endorsers(given);
  }

  private Accounts accounts(PrivacyGroup group) {
    return Accounts.of(group.committees(), signatures);
  }

  @Override
  protected void checkIntent(Given given, NotoIntent intent) {
    var configuration = NotoConfiguration.of(given.group());
    configuration
        .notary()
        .ifPresent(
            notary ->
                RuleViolation.unless(
                    given.committee().member(notary).isPresent(),
                    "The group's notary is no member of it: make a group with him."));
    check(given, configuration, intent);
  }

  private static void check(Given given, NotoConfiguration configuration, NotoIntent intent) {
    if (intent.mints()) {
      RuleViolation.unless(
          configuration.minter().map(given.from()::equals).orElse(true),
          () ->
              "Only the group's notary may mint: send it from "
                  + configuration.minter().orElseThrow()
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
          intent.cost().signum() == 0 || TokenAmount.isValid(intent.cost()),
          "A lock holds at most 2^256 - 1, so that it can be given back as one coin.");
    }
  }

  @Override
  protected JsonNode specification(Given given, NotoIntent intent) {
    var specification =
        CanonicalJson.object()
            .put("function", given.transaction().function())
            .put(DATA.name(), intent.data());
    intent.lock().ifPresent(id -> specification.put(LOCK_ID.name(), id.toString()));
    switch (intent) {
      case Mint mint -> specify(specification, List.of(mint.payment()));
      case Transfer transfer -> specify(specification, List.of(transfer.payment()));
      case Burn burn -> specification.put(AMOUNT.name(), burn.cost().toString());
      case Create create -> {
        specification.put(AMOUNT.name(), create.cost().toString());
        create.outcome().ifPresent(outcome -> specify(given, specification, outcome));
      }
      case Prepare prepare -> specify(given, specification, prepare.outcome());
      case Delegate delegate -> specification.put(DELEGATE.name(), delegate.to().toString());
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
    CoinConservation.make(accounts(given.group()).coins(), made.coins(), outputs);
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
    CoinConservation.check(
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
        var change =
            CoinConservation.paid(accounts.coins(), owner, List.of(), create.cost(), inputs);
        yield Made.lock(change, lock, accounts).with(data(given, intent.data()));
      }
      case Prepare(var id, var outcome, var data) -> {
        var lock = Lock.changed(accounts, id, inputs);
        requireOwner(given, lock);
        requireFits(lock, outcome);
        yield changed(given, lock.prepared(outcome)).with(data(given, data));
      }
      case Delegate(var id, var to, var data) -> {
        var lock = Lock.changed(accounts, id, inputs);
        requireSpender(given, lock);
        yield changed(given, lock.delegatedTo(to)).with(data(given, data));
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
      return endedFor(given, lock, List.of(), BigInteger.ZERO).with(data(given, told));
    }
    if (lock.outcome().isEmpty()) {
      throw RuleViolation.now(
          "The lock is not prepared: its owner says by prepareUnlock what becomes of it.");
    }
    var outcome = lock.outcome().get();
    return endedFor(given, lock, outcome.payments(), outcome.cost()).with(data(given, told));
  }

  private Made paid(
      Given given, List<Payment> payments, NotoIntent intent, List<PrivateState> inputs) {
    var accounts = accounts(given.group());
    var made =
        Made.coins(
            CoinConservation.paid(accounts.coins(), given.from(), payments, intent.cost(), inputs));
    // nothing else would tell other nodes who has minted where all may
    return intent.mints() && NotoConfiguration.of(given.group()).minter().isEmpty()
        ? made.with(Optional.of(told(given, intent.data())))
        : made.with(data(given, intent.data()));
  }

  private Made changed(Given given, Lock lock) {
    requireMembers(given, lock.members());
    return new Made(List.of(), List.of(lock.written(accounts(given.group()))));
  }

  /** Who was a member as the lock was made may be none any more. */
  private static Made endedFor(Given given, Lock lock, List<Payment> payments, BigInteger cost) {
    var made = ended(lock, payments, cost);
    requireMembers(given, made.coins().stream().map(Payment::to).toList());
    return made;
  }

  /** What lies in a lock pays its outcome, and the rest is its owner's again. */
  private static Made ended(Lock lock, List<Payment> payments, BigInteger cost) {
    return Made.coins(CoinConservation.withChange(payments, cost, lock.owner(), lock.amount()));
  }

  private Optional<WrittenState> data(Given given, String data) {
    return data.equals(NotoInputs.NO_DATA) ? Optional.empty() : Optional.of(told(given, data));
  }

  private WrittenState told(Given given, String data) {
    return NotoReceipt.data(accounts(given.group()).address(given.from()), data);
  }

  private static void requireMembers(Given given, List<Identity> named) {
    for (var each : named) {
      if (given.committee().member(each).isEmpty()) {
        throw RuleViolation.now(
            each + " is no member of the group any more: nothing can be made for who is none.");
      }
    }
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

  private JsonNode balance(PrivateQuery.Asked asked, Sent inputs) {
    var group = asked.group();
    var coins = accounts(group).coins();
    var account = NotoInputs.member(inputs, ACCOUNT, asked.from().node(), group.committee());
    var held =
        StreamSupport.stream(coins.of(account, asked.states()).spliterator(), false)
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
          CanonicalJson.write(
              new NotoReceipt(
                      accounts(group), NotoConfiguration.of(group).minter(), sender, changes)
                  .json()));
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
