package dev.sequitur.laboratory.load;

import dev.sequitur.crypto.FreshIntents;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.port.IdempotencyKey;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a load asks a private contract for.
 *
 * @param inputs UTF-8 JSON
 */
public record PrivateCall(
    ContractAddress contract, String domain, Identity from, String function, Bytes inputs) {
  /** As a node makes it of a call, under a key or none. */
  public Intent intent(FreshIntents fresh, Optional<String> key) {
    var one = fresh.next(contract, from);
    var transaction =
        new PrivateTransaction(
            one.id(),
            contract,
            domain,
            function,
            from,
            inputs,
            SubmitMode.AUTO,
            List.of(),
            one.salt());
    var bodyHash =
        new CanonicalDigest()
            .add(contract.value())
            .add(function)
            .add(from.toString())
            .add(inputs)
            .finish();
    var owned = key.map(name -> new IdempotencyKey(IdempotencyKey.Owner.of(from), name));
    return new Intent(0, Instant.now(), owned, bodyHash, transaction);
  }
}
