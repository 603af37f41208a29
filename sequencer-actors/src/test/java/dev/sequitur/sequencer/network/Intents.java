package dev.sequitur.sequencer.network;

import dev.sequitur.crypto.IntentSalt;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.IdempotencyKey;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What the tests ask for. */
final class Intents {
  private Intents() {}

  static Intent mint(ContractAddress contract, Identity from, long amount) {
    return intent(contract, "token", "mint", from, payment(from, amount));
  }

  static Intent transfer(ContractAddress contract, Identity from, Identity to, long amount) {
    return intent(contract, "token", "transfer", from, payment(to, amount));
  }

  static Intent increment(ContractAddress contract, Identity from, String key) {
    return intent(contract, "record", "increment", from, "{\"key\":\"" + key + "\",\"by\":1}");
  }

  static Intent set(ContractAddress contract, Identity from, String key, String value) {
    return intent(
        contract, "record", "set", from, "{\"key\":\"" + key + "\",\"value\":\"" + value + "\"}");
  }

  private static String payment(Identity to, long amount) {
    return "{\"to\":\"" + to + "\",\"amount\":\"" + amount + "\"}";
  }

  private static Intent intent(
      ContractAddress contract, String domain, String function, Identity from, String inputs) {
    return of(
        new PrivateTransaction(
            new TransactionId(UUID.randomUUID()),
            contract,
            domain,
            function,
            from,
            Bytes.utf8(inputs),
            SubmitMode.AUTO,
            List.of(),
            IntentSalt.random()));
  }

  static Intent of(PrivateTransaction transaction) {
    var body =
        new CanonicalDigest()
            .add(transaction.contract().value())
            .add(transaction.function())
            .add(transaction.from().toString())
            .add(transaction.inputs())
            .finish();
    return new Intent(0, Instant.now(), Optional.empty(), body, transaction);
  }

  static Intent withKey(Intent intent, String key) {
    return new Intent(
        0,
        intent.created(),
        Optional.of(new IdempotencyKey(IdempotencyKey.Owner.of(intent.transaction().from()), key)),
        intent.bodyHash(),
        intent.transaction());
  }

  static Intent after(Intent intent, TransactionId... dependencies) {
    var transaction = intent.privately().orElseThrow();
    return of(transaction.withDependsOn(List.of(dependencies)));
  }

  /** To be put on the ledger by the caller. */
  static Intent external(Intent intent) {
    var transaction = intent.privately().orElseThrow();
    return of(transaction.withSubmitMode(SubmitMode.EXTERNAL));
  }
}
