package dev.sequitur.laboratory.demo;

import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.port.IdempotencyKey;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.settings.SequencerSettings.LimitSettings;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.SubmitMode;
import dev.sequitur.sequencer.crypto.FreshIntents;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Turns operations into intents, once their groups have contracts. */
record Intents(Map<GroupPlan, ContractAddress> contracts, FreshIntents fresh) {
  Intents {
    contracts = Map.copyOf(contracts);
  }

  Intents(Map<GroupPlan, ContractAddress> contracts) {
    this(contracts, new FreshIntents(LimitSettings.DEFAULT.intentSeries()));
  }

  Intent of(Operation operation) {
    var contract = contracts.get(operation.group());
    var one = fresh.next(contract, operation.from());
    var transaction =
        new PrivateTransaction(
            one.id(),
            contract,
            operation.group().domain(),
            operation.function(),
            operation.from(),
            operation.inputs(),
            SubmitMode.AUTO,
            List.of(),
            one.salt());
    var bodyHash =
        new CanonicalDigest()
            .add(contract.value())
            .add(operation.function())
            .add(operation.from().toString())
            .add(operation.inputs())
            .finish();
    return new Intent(
        0,
        Instant.now(),
        Optional.of(new IdempotencyKey(IdempotencyKey.Owner.of(operation.from()), operation.key())),
        bodyHash,
        transaction);
  }
}
