package dev.sequitur.node.rpc;

import dev.sequitur.domain.Domains;
import dev.sequitur.json.JsonText;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A domain that has a name; the endpoint asks it for no more. */
record FakeDomain(String name) implements Domain {
  @Override
  public Optional<String> checkConfiguration(Bytes configuration) {
    return Optional.empty();
  }

  /** A group of who asks for it, with all that is sent as its configuration. */
  @Override
  public Construction construct(Identity from, Bytes inputs) {
    var sent = JsonText.parse(inputs.toByteArray());
    return sent.has("name")
        ? new Construction.Wanted(sent.get("name").asText(), List.of(from), inputs)
        : new Construction.Refused("The group has no name. Send name.");
  }

  @Override
  public Set<String> calledPublicly() {
    return Set.of("spendLock");
  }

  @Override
  public Optional<PrivateCall> calledBy(Bytes data) {
    return data.equals(Bytes.hex("0xbfc538bb01"))
        ? Optional.of(new PrivateCall("spendLock", Bytes.utf8("{\"lockId\":\"0x01\"}")))
        : Optional.empty();
  }

  @Override
  public Optional<Objection> validate(
      PrivacyGroup group, PrivateTransaction transaction, States states) {
    return transaction.inputs().toUtf8().contains("\"-")
        ? Optional.of(new Objection("The amount must be positive. Send another.", false))
        : Optional.empty();
  }

  /** As the shipped domain of this name has them, for the reference. */
  @Override
  public List<DescribedFunction> functions() {
    return Domains.load().find(name).map(Domain::functions).orElse(List.of());
  }

  @Override
  public Assembly assemble(
      PrivacyGroup group, PrivateTransaction transaction, States states, Keys keys) {
    throw new UnsupportedOperationException("The endpoint assembles nothing.");
  }

  @Override
  public Endorsement endorse(
      PrivacyGroup group, EndorsementRequest request, EndorsementRequest.Item item) {
    throw new UnsupportedOperationException("The endpoint endorses nothing.");
  }

  @Override
  public List<StateSchema> schemas() {
    return name.equals("token")
        ? List.of(
            new StateSchema("coin", List.of(new Label("owner", false), new Label("amount", true))))
        : List.of();
  }

  @Override
  public Bytes call(
      PrivacyGroup group, Identity from, String function, Bytes inputs, States states) {
    throw new UnsupportedOperationException("The endpoint calls the node.");
  }
}
