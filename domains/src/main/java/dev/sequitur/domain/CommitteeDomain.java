package dev.sequitur.domain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.json.JsonText;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.Refused;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.transaction.AttestationRequest;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Proof;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A domain whose whole committee holds every state and endorses every transaction. This class does
 * what such domains share (reading, signing, checking what surrounds the content); a subclass says
 * what its intents are, which states they take and make, and when those are right. Stateless but
 * for a cache, and thread-safe.
 *
 * @param <I> an intent as read from the inputs of a transaction
 */
public abstract class CommitteeDomain<I> implements Domain {
  /** The name of the one attestation of each plan. */
  public static final String ATTESTATION = "endorsement";

  private static final int MAX_INPUT_BYTES = 65_536;

  /** Where what is wrong stands, for the caller. */
  private static final String INPUTS = "inputs";

  private final String name;
  private final List<String> configurationFields;
  private final Salts salts = new Salts();

  /**
   * @param configurationFields what a group's configuration may have
   */
  protected CommitteeDomain(String name, List<String> configurationFields) {
    this.name = name;
    this.configurationFields = configurationFields;
  }

  /** What transactions may call: always the same. */
  protected abstract List<PrivateFunction<I>> privateFunctions();

  /** What members may ask without a transaction: always the same. */
  protected abstract List<PrivateQuery> privateQueries();

  /** Refuses an intent that this domain's groups do not allow. */
  protected void checkIntent(Given given, I intent) {}

  /** What endorsers check against: the intent as it was understood. */
  protected abstract JsonNode specification(Given given, I intent);

  /** Refuses what could not be assembled from the states of now. */
  protected abstract void checkAffordable(Given given, I intent, States states);

  /** Whether another intent that is confirmed could take the ground from an objection. */
  protected abstract boolean mayHelp(Objection objection, Wanted<I> wanted, Wanted<I> other);

  /** Takes and makes states. */
  protected abstract Movement move(Given given, I intent, States states, Salts.Secret secret);

  /** Refuses a movement that is not one of the intent's. */
  protected abstract void checkMovement(Given given, I intent, Movement movement);

  /** Refuses what only this domain knows of a group's configuration. */
  protected void checkOwnConfiguration(Bytes configuration) {}

  /** Who is asked to endorse. */
  protected List<Identity> endorsers(Given given) {
    return given.committee().identities();
  }

  /** What an assembly does to the states. */
  public record Movement(
      List<PrivateState> inputs, List<PrivateState> reads, List<PrivateState> outputs) {}

  /** An intent, and who asks for it. */
  public record Wanted<I>(Given given, I intent) {}

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final Optional<String> checkConfiguration(Bytes configuration) {
    try {
      GroupConfiguration.read(configuration, configurationFields);
      checkOwnConfiguration(configuration);
      return Optional.empty();
    } catch (RuleViolation e) {
      return Optional.of(e.getMessage());
    }
  }

  @Override
  public final Optional<Objection> validate(
      PrivacyGroup group, PrivateTransaction transaction, States states) {
    try {
      var given = given(group, transaction);
      checkAffordable(given, intent(given), states);
      return Optional.empty();
    } catch (RuleViolation e) {
      return Optional.of(new Objection(e.getMessage(), e.lasts() != RuleViolation.Lasts.ALWAYS));
    }
  }

  @Override
  public final boolean mayHelp(
      PrivacyGroup group,
      PrivateTransaction transaction,
      Objection objection,
      PrivateTransaction other) {
    try {
      return mayHelp(objection, wanted(group, transaction), wanted(group, other));
    } catch (RuleViolation e) {
      return false; // one of them will never be assembled
    }
  }

  private Wanted<I> wanted(PrivacyGroup group, PrivateTransaction transaction) {
    var given = given(group, transaction);
    return new Wanted<>(given, intent(given));
  }

  @Override
  public final boolean isGenuine(PrivacyGroup group, PrivateState state) {
    return StateContent.isUsable(group, state);
  }

  @Override
  public final boolean sharesAllStates(PrivacyGroup group) {
    return true;
  }

  @Override
  public final Assembly assemble(
      PrivacyGroup group, PrivateTransaction transaction, States states, Keys keys) {
    try {
      var given = given(group, transaction);
      var intent = intent(given);
      var hindered = hindered(transaction.from(), group.committee(), keys);
      if (hindered.isPresent()) {
        return new Assembly.Parked(hindered.get());
      }
      var secret = salts.secret(keys, transaction.from(), group.contract());
      var movement = move(given, intent, states, secret);
      return new Assembly.Assembled(assembly(given, intent, movement));
    } catch (RuleViolation e) {
      return switch (e.lasts()) {
        case ALWAYS -> new Assembly.Reverted(e.getMessage());
        case NOW -> new Assembly.Failed(e.getMessage());
        case WHILE_SENDER_LACKS -> new Assembly.Insufficient(e.getMessage());
        case WHILE_TAKEN -> new Assembly.Taken(e.getMessage());
      };
    }
  }

  private PostAssembly assembly(Given given, I intent, Movement movement) {
    return new PostAssembly(
        movement.inputs(),
        movement.reads(),
        movement.outputs(),
        List.of(),
        CanonicalJson.write(specification(given, intent)),
        List.of(plan(given)),
        Proof.NONE);
  }

  @Override
  public final Endorsement endorse(
      PrivacyGroup group, EndorsementRequest request, EndorsementRequest.Item item) {
    try {
      EndorsementCheck.checkEnvelope(group, name, request, item);
      var given = given(group, item.transaction());
      RuleViolation.unless(
          request.attestationRequest().equals(plan(given)),
          "The attestation plan is not that of the group.");
      EndorsementCheck.checkStates(group, item);
      var intent = intent(given);
      RuleViolation.unless(
          item.transactionSpecification().equals(CanonicalJson.write(specification(given, intent))),
          "The specification does not match the intent.");
      checkMovement(
          given, intent, new Movement(item.inputStates(), item.readStates(), item.outputStates()));
      return new Endorsement.Endorsed();
    } catch (RuleViolation e) {
      return new Endorsement.Refused(e.getMessage());
    }
  }

  @Override
  public final Bytes call(
      PrivacyGroup group, Identity from, String function, Bytes inputs, States states) {
    try {
      RuleViolation.unless(
          group.committee().member(from).isPresent(), "Only members of the group may call it.");
      var json =
          inputs.isEmpty()
              ? CanonicalJson.object()
              : CanonicalJson.read(inputs, MAX_INPUT_BYTES, "The inputs");
      var query =
          one(
              privateQueries(),
              PrivateQuery::name,
              function,
              names -> "The calls of the " + name + " domain are " + names + ".");
      return CanonicalJson.write(
          query
              .answering()
              .answer(
                  new PrivateQuery.Asked(group, from, states), query.inputs().read(INPUTS, json)));
    } catch (RuleViolation | Refused e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  @Override
  public final List<DescribedFunction> functions() {
    return Stream.concat(
            privateFunctions().stream()
                .map(it -> described(it.name(), false, it.doc(), it.inputs())),
            privateQueries().stream().map(it -> described(it.name(), true, it.doc(), it.inputs())))
        .toList();
  }

  private static DescribedFunction described(
      String name, boolean readOnly, String doc, ObjectFormat inputs) {
    var named = new TreeMap<String, ObjectNode>();
    inputs.schema(named);
    var schemas = CanonicalJson.object();
    named.forEach(schemas::set);
    return new DescribedFunction(
        name, readOnly, doc, inputs.name(), Bytes.of(JsonText.write(schemas)));
  }

  /** The one of this name. */
  private static <F> F one(
      List<F> all, Function<F, String> name, String wanted, UnaryOperator<String> otherwise) {
    for (var each : all) {
      if (name.apply(each).equals(wanted)) {
        return each;
      }
    }
    throw new RuleViolation(
        otherwise.apply(all.stream().map(name).collect(Collectors.joining(", "))));
  }

  private Given given(PrivacyGroup group, PrivateTransaction transaction) {
    return new Given(
        group, GroupConfiguration.read(group.configuration(), configurationFields), transaction);
  }

  private I intent(Given given) {
    var transaction = given.transaction();
    RuleViolation.unless(
        transaction.domain().equals(name) && given.group().domain().equals(name),
        "The domain of the transaction and of its group must be '" + name + "'.");
    RuleViolation.unless(
        given.committee().member(given.from()).isPresent(),
        "The sender must be a member of the group.");
    var function =
        one(
            privateFunctions(),
            PrivateFunction::name,
            transaction.function(),
            names -> "The functions of the " + name + " domain are " + names + ".");
    // What it says is of the committee that the group began with.
    given.configuration().quorum(given.group().committees().first().committee());
    try {
      var json = CanonicalJson.read(transaction.inputs(), MAX_INPUT_BYTES, "The inputs");
      var intent = function.reading().read(given, function.inputs().read(INPUTS, json));
      checkIntent(given, intent);
      return intent;
    } catch (Refused e) {
      throw new RuleViolation(e.getMessage());
    }
  }

  private AttestationRequest plan(Given given) {
    return new AttestationRequest(
        ATTESTATION, endorsers(given), given.group().endorsementThreshold());
  }

  /** Why this node does not sign for a member. */
  private static Optional<String> hindered(Identity identity, Committee committee, Keys keys) {
    var standing =
        committee
            .member(identity)
            .map(member -> keys.standing(identity.name(), member.verifier()))
            .orElse(Keys.Standing.UNKNOWN);
    return switch (standing) {
      case HELD -> Optional.empty();
      case REVOKED ->
          Optional.of(
              "The sender's key in this group is revoked on its node, which signs nothing with it any"
                  + " more.");
      case UNKNOWN ->
          Optional.of(
              "This node's key of the sender is not the one that the group knows: restore the node's"
                  + " key seed, then resume the transaction.");
    };
  }
}
