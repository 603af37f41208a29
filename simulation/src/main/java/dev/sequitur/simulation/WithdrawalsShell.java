package dev.sequitur.simulation;

import dev.sequitur.protocol.founding.Withdrawals;
import dev.sequitur.protocol.founding.Withdrawals.Effect;
import dev.sequitur.protocol.founding.Withdrawals.Input;
import dev.sequitur.protocol.id.ContractAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A part of the other edge of what Founder is one of. */
final class WithdrawalsShell extends Shell<Input, Withdrawals.State, Void, Effect> {
  private final Consumer<Effect> errands;

  WithdrawalsShell(NodeLife node, String incarnation, Consumer<Effect> errands) {
    super(node, "withdrawals", new Withdrawals(incarnation).machine(), new ArrayList<>());
    this.errands = errands;
  }

  @Override
  ContractAddress contract() {
    throw new IllegalStateException("It is for groups without a contract, and stores nothing.");
  }

  @Override
  void perform(List<Effect> effects, Runnable whenDurable) {
    effects.forEach(errands);
    whenDurable.run();
  }
}
