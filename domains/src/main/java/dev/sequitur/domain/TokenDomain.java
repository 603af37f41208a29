package dev.sequitur.domain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.domain.TokenIntent.Burn;
import dev.sequitur.domain.TokenIntent.Mint;
import dev.sequitur.domain.TokenIntent.Transfer;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.Identity;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

/**
 * {@code token}: coins that any owner spends.
 *
 * <ul>
 *   <li>{@code mint {to, amount}}: by the group's {@code notary} if its configuration names one,
 *       else by any member;
 *   <li>{@code transfer {to, amount}} or {@code transfer {outputs: [{to, amount}, …]}}, at most
 *       {@value #MAX_PAYMENTS};
 *   <li>{@code burn {amount}};
 *   <li>calls {@code balanceOf {owner?}} → {@code {balance, coins}} and {@code coins {owner?}} →
 *       {@code {coins: [{id, amount}], more}}, the oldest {@value #MAX_LISTED}.
 * </ul>
 *
 * Owners are members of the group. Amounts are written as strings of digits, JSON numbers are taken
 * too. States are found as schema {@code coin} by owner.
 */
public final class TokenDomain extends CommitteeDomain<TokenIntent> {
  public static final String NAME = "token";

  static final String MINT = "mint";
  static final String TRANSFER = "transfer";
  static final String BURN = "burn";
  static final int MAX_PAYMENTS = 16;
  static final int MAX_LISTED = 1000;

  private static final String TO = "to";
  private static final String AMOUNT = "amount";
  private static final String OUTPUTS = "outputs";
  private static final String OWNER = "owner";
  private static final String COINS = "coins";

  public TokenDomain() {
    super(
        NAME,
        List.of(MINT, TRANSFER, BURN),
        List.of(GroupConfiguration.THRESHOLD, GroupConfiguration.NOTARY));
  }

  @Override
  protected TokenIntent intent(Given given, JsonNode inputs) {
    var function = given.transaction().function();
    var what = "The inputs of " + function;
    return switch (function) {
      case MINT -> mint(given, new JsonFields(inputs, what, List.of(TO, AMOUNT)));
      case TRANSFER -> transfer(given, inputs, what);
      case BURN -> new Burn(new JsonFields(inputs, what, List.of(AMOUNT)).amount(AMOUNT));
      default -> throw new IllegalArgumentException("No function: " + function);
    };
  }

  private static Mint mint(Given given, JsonFields fields) {
    given
        .configuration()
        .notary()
        .ifPresent(
            notary ->
                RuleViolation.unless(
                    given.from().equals(notary),
                    "Only the group's notary may mint: send it from " + notary + "."));
    return new Mint(payment(given, fields));
  }

  private static Transfer transfer(Given given, JsonNode inputs, String what) {
    var fields = new JsonFields(inputs, what, List.of(TO, AMOUNT, OUTPUTS));
    if (!fields.has(OUTPUTS)) {
      return new Transfer(List.of(payment(given, fields)));
    }
    var outputs = fields.required(OUTPUTS);
    RuleViolation.unless(
        !fields.has(TO) && !fields.has(AMOUNT),
        what + " must be either '" + TO + "' and '" + AMOUNT + "' or '" + OUTPUTS + "'.");
    RuleViolation.unless(
        outputs.isArray() && !outputs.isEmpty() && outputs.size() <= MAX_PAYMENTS,
        what + " need '" + OUTPUTS + "' as an array of 1 to " + MAX_PAYMENTS + " payments.");
    var payments = new ArrayList<Payment>();
    for (var output : outputs) {
      payments.add(
          payment(given, new JsonFields(output, "The outputs of transfer", List.of(TO, AMOUNT))));
    }
    return new Transfer(payments);
  }

  private static Payment payment(Given given, JsonFields fields) {
    return new Payment(fields.member(TO, given.committee()), fields.amount(AMOUNT));
  }

  @Override
  protected JsonNode specification(Given given, TokenIntent intent) {
    var specification = CanonicalJson.object().put("function", intent.function());
    return switch (intent) {
      case Burn(var amount) -> specification.put(AMOUNT, amount.toString());
      case Mint mint -> withPayments(specification, mint.payments());
      case Transfer(var payments) -> withPayments(specification, payments);
    };
  }

  private static JsonNode withPayments(ObjectNode specification, List<Payment> payments) {
    Payment.write(payments, Identity::toString, specification.putArray(OUTPUTS));
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
    Conservation.make(
        CoinKind.TOKEN,
        Conservation.withChange(intent.payments(), cost, given.from(), coins.sum()),
        outputs);
    return new Movement(coins.states(), List.of(), outputs.made());
  }

  @Override
  protected void checkMovement(Given given, TokenIntent intent, Movement movement) {
    RuleViolation.unless(movement.reads().isEmpty(), "A token transaction reads no states.");
    Conservation.check(
        CoinKind.TOKEN,
        given.intentHash(),
        Conservation.paid(
            CoinKind.TOKEN, given.from(), intent.payments(), intent.cost(), movement.inputs()),
        movement.outputs());
  }

  @Override
  protected JsonNode answer(PrivacyGroup group, Query query, States states) {
    RuleViolation.unless(
        query.function().equals("balanceOf") || query.function().equals(COINS),
        "The calls of the token domain are balanceOf and coins.");
    var fields =
        new JsonFields(query.inputs(), "The inputs of " + query.function(), List.of(OWNER));
    var owner = fields.has(OWNER) ? fields.member(OWNER, group.committee()) : query.from();
    var coins =
        StreamSupport.stream(CoinKind.TOKEN.of(owner, states).spliterator(), false)
            .flatMap(state -> CoinKind.TOKEN.spendable(group, owner, state).stream())
            .toList();
    return query.function().equals(COINS) ? list(coins) : balance(coins);
  }

  private static ObjectNode balance(List<Coin.Held> coins) {
    var sum =
        coins.stream()
            .map(held -> held.coin().amount().value())
            .reduce(BigInteger.ZERO, BigInteger::add);
    return CanonicalJson.object().put("balance", sum.toString()).put(COINS, coins.size());
  }

  private static ObjectNode list(List<Coin.Held> coins) {
    var answer = CanonicalJson.object().put("more", Math.max(0, coins.size() - MAX_LISTED));
    var list = answer.putArray(COINS);
    coins.stream()
        .limit(MAX_LISTED)
        .forEach(
            held ->
                list.addObject()
                    .put("id", held.state().id().toString())
                    .put(AMOUNT, held.coin().amount().toString()));
    return answer;
  }

  @Override
  public List<StateSchema> schemas() {
    return List.of(CoinKind.described(CoinKind.TOKEN.schema()));
  }
}
