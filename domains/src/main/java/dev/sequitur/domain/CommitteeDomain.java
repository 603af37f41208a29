package dev.sequitur.domain;

import com.fasterxml.jackson.databind.JsonNode;
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

  private final String name;
  private final List<String> functions;
  private final List<String> configurationFields;
  private final Salts salts = new Salts();

  /**
   * @param functions what intents may call
   * @param configurationFields what a group's configuration may have
   */
  protected CommitteeDomain(String name, List<String> functions, List<String> configurationFields) {
    this.name = name;
    this.functions = functions;
    this.configurationFields = configurationFields;
  }

  /** Reads the inputs of one of the domain's functions. */
  protected abstract I intent(Given given, JsonNode inputs);

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

  /** Answers a call by a member. */
  protected abstract JsonNode answer(PrivacyGroup group, Query query, States states);

  /** What an assembly does to the states. */
  public record Movement(
      List<PrivateState> inputs, List<PrivateState> reads, List<PrivateState> outputs) {}

  /** An intent, and who asks for it. */
  public record Wanted<I>(Given given, I intent) {}

  /** A read-only call. */
  public record Query(Identity from, String function, JsonNode inputs) {}

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
      if (!holdsKeyOf(transaction.from(), group.committee(), keys)) {
        return new Assembly.Parked(
            "This node's key of the sender is not the one that the group knows: restore the node's"
                + " key seed, then resume the transaction.");
      }
      var secret = salts.secret(keys, transaction.from(), group.contract());
      var movement = move(given, intent, states, secret);
      return new Assembly.Assembled(assembly(given, intent, movement));
    } catch (RuleViolation e) {
      return switch (e.lasts()) {
        case ALWAYS -> new Assembly.Reverted(e.getMessage());
        case NOW -> new Assembly.Failed(e.getMessage());
        case WHILE_SENDER_LACKS -> new Assembly.Insufficient(e.getMessage());
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
      return CanonicalJson.write(answer(group, new Query(from, function, json), states));
    } catch (RuleViolation e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
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
    RuleViolation.unless(
        functions.contains(transaction.function()),
        () -> "The functions of the " + name + " domain are " + String.join(", ", functions) + ".");
    given.configuration().threshold(given.committee());
    return intent(given, CanonicalJson.read(transaction.inputs(), MAX_INPUT_BYTES, "The inputs"));
  }

  private AttestationRequest plan(Given given) {
    return new AttestationRequest(
        ATTESTATION, endorsers(given), given.group().endorsementThreshold());
  }

  private static boolean holdsKeyOf(Identity identity, Committee committee, Keys keys) {
    return committee
        .member(identity)
        .map(member -> member.verifier().equals(keys.verifier(identity.name())))
        .orElse(false);
  }
}
