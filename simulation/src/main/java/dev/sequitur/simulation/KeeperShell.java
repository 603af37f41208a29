package dev.sequitur.simulation;

import dev.sequitur.protocol.errand.FundingErrands;
import dev.sequitur.protocol.funding.Funding;
import dev.sequitur.protocol.funding.Funding.Effect;
import dev.sequitur.protocol.funding.Funding.Input;
import dev.sequitur.protocol.funding.FundingSettings;
import dev.sequitur.protocol.funding.FundingState;
import dev.sequitur.protocol.funding.GasReport;
import dev.sequitur.protocol.funding.KeyUse;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.machine.Decision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The other edge of what GasKeeper is one of. */
final class KeeperShell extends Shell<Input, FundingState, Void, Effect>
    implements FundingErrands.Edge {
  private final FundingErrands errands;

  KeeperShell(NodeLife node, FundingSettings settings) {
    super(
        node,
        "keeper",
        new Funding(settings, Fundings.account(node.home()), node.simulation().setup().gas())
            .machine(),
        new ArrayList<>());
    this.errands =
        new FundingErrands(
            node.surroundings().ledger().gasMoney().orElseThrow(),
            settings,
            node.keys().signer(Fundings.KEY),
            Fundings.account(node.home()),
            node.simulation().setup().confirmations(),
            node.surroundings().computing(),
            node.surroundings().waiting(),
            this);
  }

  /** A machine beside it needs money. */
  void use(KeyUse use) {
    node.tell(() -> tell(new Input.Used(use)));
  }

  @Override
  ContractAddress contract() {
    throw new IllegalStateException("It is for all contracts, and stores nothing.");
  }

  @Override
  void decided(FundingState before, Decision<FundingState, Void, Effect> decision) {
    for (var effect : decision.effects()) {
      if (effect instanceof Effect.Pay(var transfer)) {
        // One that is sent again was decided before.
        decision
            .state()
            .uses()
            .filter(use -> use.key().equals(transfer.to()))
            .forEach(use -> node.simulation().fundings().onDecided(node.home(), transfer, use));
      }
    }
  }

  @Override
  void perform(List<Effect> effects, Runnable whenDurable) {
    effects.forEach(errands::run);
    whenDurable.run();
  }

  @Override
  public void answer(Input input) {
    node.later(Duration.ZERO, () -> tell(input));
  }

  @Override
  public void failed(Throwable why, Input input) {
    answer(input);
  }

  @Override
  public void toppedUp() {
    node.count(Fundings.TOPPED_UP);
  }

  @Override
  public void tell(GasReport report) {
    node.trace("money for gas", report);
    if (report.status() == GasReport.Status.WAITS_FOR_GAS_MONEY) {
      node.simulation().injected(Fault.ACCOUNT_EMPTY);
    }
  }

  @Override
  public void refused(String reason) {
    throw new AssertionError("The ledger takes no transfer: " + reason);
  }
}
