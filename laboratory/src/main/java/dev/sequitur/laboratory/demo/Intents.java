package dev.sequitur.laboratory.demo;

import dev.sequitur.crypto.FreshIntents;
import dev.sequitur.laboratory.load.PrivateCall;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.settings.SequencerSettings.LimitSettings;
import java.util.Map;
import java.util.Optional;

/** Turns operations into intents, once their groups have contracts. */
public record Intents(Map<GroupPlan, ContractAddress> contracts, FreshIntents fresh) {
  public Intents {
    contracts = Map.copyOf(contracts);
  }

  public Intents(Map<GroupPlan, ContractAddress> contracts) {
    this(contracts, new FreshIntents(LimitSettings.DEFAULT.intentSeries()));
  }

  Intent of(Operation operation) {
    var group = operation.group();
    return new PrivateCall(
            contracts.get(group),
            group.domain(),
            operation.from(),
            operation.function(),
            operation.inputs())
        .intent(fresh, Optional.of(operation.key()));
  }
}
