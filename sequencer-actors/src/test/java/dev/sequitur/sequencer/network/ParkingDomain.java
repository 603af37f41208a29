package dev.sequitur.sequencer.network;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.util.Optional;

/** Another domain that parks whatever is to be assembled until it is opened. Thread-safe. */
final class ParkingDomain implements Domain {
  private final Domain domain;
  private volatile boolean open;

  ParkingDomain(Domain domain) {
    this.domain = domain;
  }

  void close() {
    open = false;
  }

  void open() {
    open = true;
  }

  @Override
  public String name() {
    return domain.name();
  }

  @Override
  public Optional<String> checkConfiguration(Bytes configuration) {
    return domain.checkConfiguration(configuration);
  }

  @Override
  public Optional<Objection> validate(
      PrivacyGroup group, PrivateTransaction transaction, States states) {
    return domain.validate(group, transaction, states);
  }

  @Override
  public Assembly assemble(
      PrivacyGroup group, PrivateTransaction transaction, States states, Keys keys) {
    return open
        ? domain.assemble(group, transaction, states, keys)
        : new Assembly.Parked("Wait until a person has opened the gate.");
  }

  @Override
  public Endorsement endorse(
      PrivacyGroup group, EndorsementRequest request, EndorsementRequest.Item item) {
    return domain.endorse(group, request, item);
  }

  @Override
  public Bytes call(
      PrivacyGroup group, Identity from, String function, Bytes inputs, States states) {
    return domain.call(group, from, function, inputs, states);
  }
}
