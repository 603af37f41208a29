package dev.sequitur.domain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.domain.TokenIntent.Burn;
import dev.sequitur.domain.TokenIntent.Mint;
import dev.sequitur.domain.TokenIntent.Transfer;
import dev.sequitur.json.Field;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.Sent;
import dev.sequitur.protocol.id.Identity;
import java.math.BigInteger;
import java.util.List;
import java.util.stream.StreamSupport;

/**
 * {@code token}: coins that any owner spends, by mint, transfer and burn, which the declarations
 * tell.
 *
 * <p>Owners are members of the group. Amounts are written as strings of digits, JSON numbers are
 * taken too. States are found as schema {@code coin} by owner.
 */
public final class TokenDomain extends CommitteeDomain<TokenIntent> {
  public static final String NAME = "token";

  static final String MINT = "mint";
  static final String TRANSFER = "transfer";
  static final String BURN = "burn";
  static final int MAX_PAYMENTS = 16;
  static final int MAX_LISTED = 1000;

  private static final String WORTH = "in the token's smallest unit";
  private static final Field<Identity> TO =
      Field.of("to", DomainFormats.IDENTITY, "a member of the group");
  private static final Field<TokenAmount> AMOUNT = Field.of("amount", DomainFormats.AMOUNT, WORTH);
  private static final Field<Identity> SINGLE_TO =
      Field.optional("to", DomainFormats.IDENTITY, "a member of the group, of one payment");
  private static final Field<TokenAmount> SINGLE_AMOUNT =
      Field.optional("amount", DomainFormats.AMOUNT, WORTH + ", of one payment");
  private static final Field<List<Sent>> OUTPUTS =
      Field.optional(
          "outputs",
          ObjectFormat.of("token.payment", TO, AMOUNT).list(1, MAX_PAYMENTS),
          "several payments, in place of `to` and `amount`");
  private static final Field<Identity> OWNER =
      Field.optional(
          "owner", DomainFormats.IDENTITY, "a member of the group; who asks if left out");

  private static final List<PrivateFunction<TokenIntent>> FUNCTIONS =
      List.of(
          new PrivateFunction<>(
              MINT,
              "Makes a coin: by the group's notary if its configuration names one, else by any"
                  + " member.",
              ObjectFormat.of("token.mint", TO, AMOUNT),
              TokenDomain::mint),
          new PrivateFunction<>(
              TRANSFER,
              "Pays other members out of the sender's coins.",
              ObjectFormat.of("token.transfer", SINGLE_TO, SINGLE_AMOUNT, OUTPUTS),
              TokenDomain::transfer),
          new PrivateFunction<>(
              BURN,
              "Takes an amount of the sender's coins out of the world.",
              ObjectFormat.of("token.burn", AMOUNT),
              (given, inputs) -> new Burn(inputs.get(AMOUNT))));

  private static final List<PrivateQuery> QUERIES =
      List.of(
          new PrivateQuery(
              "balanceOf",
              "What an owner has: `{balance, coins}`, the sum and how many coins make it.",
              ObjectFormat.of("token.balanceOf", OWNER),
              (asked, inputs) -> balance(held(asked, inputs))),
          new PrivateQuery(
              "coins",
              "An owner's oldest " + MAX_LISTED + " coins: `{coins: [{id, amount}], more}`.",
              ObjectFormat.of("token.coins", OWNER),
              (asked, inputs) -> list(held(asked, inputs))));

  public TokenDomain() {
    super(
        NAME,
        List.of(
            GroupConfiguration.THRESHOLD,
            GroupConfiguration.CHANGE_THRESHOLD,
            GroupConfiguration.NOTARY));
  }

  @Override
  protected List<PrivateFunction<TokenIntent>> privateFunctions() {
    return FUNCTIONS;
  }

  @Override
  protected List<PrivateQuery> privateQueries() {
    return QUERIES;
  }

  private static Mint mint(Given given, Sent inputs) {
    given
        .configuration()
        .notary()
        .ifPresent(
            notary ->
                RuleViolation.unless(
                    given.from().equals(notary),
                    "Only the group's notary may mint: send it from " + notary + "."));
    return new Mint(payment(given, inputs));
  }

  private static Transfer transfer(Given given, Sent inputs) {
    if (inputs.has(OUTPUTS)) {
      inputs.refuseBeside(OUTPUTS, SINGLE_TO, SINGLE_AMOUNT);
      return new Transfer(
          inputs.get(OUTPUTS).stream().map(output -> payment(given, output)).toList());
    }
    for (var field : List.of(SINGLE_TO, SINGLE_AMOUNT)) {
      if (!inputs.has(field)) {
        throw inputs.wrong(field, " is missing: send it, or outputs in place of to and amount.");
      }
    }
    var to = DomainFormats.member(inputs, SINGLE_TO, given.committee());
    return new Transfer(List.of(new Payment(to, inputs.get(SINGLE_AMOUNT))));
  }

  private static Payment payment(Given given, Sent sent) {
    return new Payment(DomainFormats.member(sent, TO, given.committee()), sent.get(AMOUNT));
  }

  @Override
  protected JsonNode specification(Given given, TokenIntent intent) {
    var specification = CanonicalJson.object().put("function", intent.function());
    return switch (intent) {
      case Burn(var amount) -> specification.put(AMOUNT.name(), amount.toString());
      case Mint mint -> withPayments(specification, mint.payments());
      case Transfer(var payments) -> withPayments(specification, payments);
    };
  }

  private static JsonNode withPayments(ObjectNode specification, List<Payment> payments) {
    Payment.write(payments, Identity::toString, specification.putArray(OUTPUTS.name()));
    return specification;
  }

  @Override
  protected void checkAffordable(Given given, TokenIntent intent, States states) {
    if (intent.cost().signum() > 0) {
      choose(given, intent, states);
    }
  }

  /** Change is counted while it is on its way: what somebody pays himself brings him nothing. */
  @Override
  protected boolean mayHelp(
      Objection objection, Wanted<TokenIntent> wanted, Wanted<TokenIntent> other) {
    var owner = wanted.given().from();
    boolean isOwn = other.given().from().equals(owner);
    if (isOwn && objection.reason().equals(CoinSelection.TOO_MANY_COINS)) {
      return true;
    }
    return other.intent().payments().stream().anyMatch(payment -> payment.to().equals(owner))
        && !(isOwn && other.intent().cost().signum() > 0);
  }

  private static CoinSelection choose(Given given, TokenIntent intent, States states) {
    return CoinSelection.choose(CoinKind.TOKEN, given, states, intent.cost());
  }

  @Override
  protected Movement move(Given given, TokenIntent intent, States states, Salts.Secret secret) {
    var cost = intent.cost();
    var coins = cost.signum() == 0 ? CoinSelection.NONE : choose(given, intent, states);
    var outputs = new NewStates(given, secret, coins.states());
    CoinConservation.make(
        CoinKind.TOKEN,
        CoinConservation.withChange(intent.payments(), cost, given.from(), coins.sum()),
        outputs);
    return new Movement(coins.states(), List.of(), outputs.made());
  }

  @Override
  protected void checkMovement(Given given, TokenIntent intent, Movement movement) {
    RuleViolation.unless(movement.reads().isEmpty(), "A token transaction reads no states.");
    CoinConservation.check(
        CoinKind.TOKEN,
        given.intentHash(),
        CoinConservation.paid(
            CoinKind.TOKEN, given.from(), intent.payments(), intent.cost(), movement.inputs()),
        movement.outputs());
  }

  private static List<Coin.Held> held(PrivateQuery.Asked asked, Sent inputs) {
    var group = asked.group();
    var owner =
        inputs.has(OWNER) ? DomainFormats.member(inputs, OWNER, group.committee()) : asked.from();
    return StreamSupport.stream(CoinKind.TOKEN.of(owner, asked.states()).spliterator(), false)
        .flatMap(state -> CoinKind.TOKEN.spendable(group, owner, state).stream())
        .toList();
  }

  private static ObjectNode balance(List<Coin.Held> coins) {
    var sum =
        coins.stream()
            .map(held -> held.coin().amount().value())
            .reduce(BigInteger.ZERO, BigInteger::add);
    return CanonicalJson.object().put("balance", sum.toString()).put("coins", coins.size());
  }

  private static ObjectNode list(List<Coin.Held> coins) {
    var answer = CanonicalJson.object().put("more", Math.max(0, coins.size() - MAX_LISTED));
    var list = answer.putArray("coins");
    coins.stream()
        .limit(MAX_LISTED)
        .forEach(
            held ->
                list.addObject()
                    .put("id", held.state().id().toString())
                    .put(AMOUNT.name(), held.coin().amount().toString()));
    return answer;
  }

  @Override
  public List<StateSchema> schemas() {
    return List.of(CoinKind.described(CoinKind.TOKEN.schema()));
  }
}
