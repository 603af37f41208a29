package dev.sequitur.ledger;

import dev.sequitur.protocol.attestation.Attestation;
import dev.sequitur.protocol.attestation.Attestation.Purpose;
import dev.sequitur.protocol.attestation.MerklePath;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.LedgerTransaction.Invoke;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.Proof;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * An invocation in the making: states are named by words, and a test says only what matters to it.
 */
public record Intent(
    ContractAddress contract,
    String name,
    String sender,
    List<StateId> inputs,
    List<StateId> reads,
    List<StateId> outputs) {

  public static Intent on(ContractAddress contract, String name) {
    return new Intent(contract, name, "alice@node1", List.of(), List.of(), List.of());
  }

  public static StateId state(String name) {
    return new StateId(Hash.sha256(Bytes.utf8("state " + name).toByteArray()));
  }

  public Intent spends(String... names) {
    return new Intent(contract, name, sender, states(names), reads, outputs);
  }

  public Intent reads(String... names) {
    return new Intent(contract, name, sender, inputs, states(names), outputs);
  }

  public Intent makes(String... names) {
    return new Intent(contract, name, sender, inputs, reads, states(names));
  }

  public Intent from(String newSender) {
    return new Intent(contract, name, newSender, inputs, reads, outputs);
  }

  public IntentKey key() {
    var id = new TransactionId(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)));
    var salt = Hash.sha256(Bytes.utf8("salt " + name).toByteArray());
    return new IntentKey(id, SenderCommitment.of(contract, id, Identity.parse(sender), salt));
  }

  /** What whoever endorses it alone signs. */
  public Hash digest() {
    return new Attestation(Purpose.ENDORSEMENT, BaseLedger.LOCAL_CHAIN, contract)
        .digest(transition(), MerklePath.ALONE);
  }

  public Hash transition() {
    return Attestation.transition(key(), inputs, reads, outputs);
  }

  public Invoke endorsedBy(Party... parties) {
    return Invoke.of(preparedBy(parties));
  }

  /** Of a batch. */
  public PreparedTransaction preparedBy(Party... parties) {
    var endorsements = Stream.of(parties).map(party -> party.sign(digest())).toList();
    return new PreparedTransaction(
        key(), contract, inputs, reads, outputs, new Proof(MerklePath.ALONE, endorsements));
  }

  private static List<StateId> states(String... names) {
    return Stream.of(names).map(Intent::state).toList();
  }
}
