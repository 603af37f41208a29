package dev.sequitur.node.rpc.method;

import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.port.IdempotencyKey;
import dev.sequitur.protocol.port.IdempotencyKey.Owner;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.schedule.OccurrenceKey;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * What stands under an idempotency key, as who asks would repeat it. Another's key is no key of the
 * asker's: that there is one is not told.
 */
record KeyLookup(NodeContext context) {
  /** Identities that a refusal names, and more than that it says so. */
  private static final int NAMED = 10;

  /**
   * @param from whose key is meant, where nobody is asked who calls
   * @return fails with {@link RpcFailure} if several may be meant
   */
  CompletionStage<Optional<Intent>> find(Call call, String name, Optional<GivenIdentity> from) {
    var sender = from.map(given -> given.at(context.node().name()));
    return found(call, name, sender)
        .thenApply(
            one ->
                one.filter(
                        intent ->
                            sender.filter(it -> !it.equals(intent.transaction().from())).isEmpty())
                    .filter(intent -> SeenIntents.sees(call, intent)));
  }

  private CompletionStage<Optional<Intent>> found(Call call, String name, Optional<Identity> from) {
    var caller = call.exchange().caller();
    if (name.startsWith(OccurrenceKey.PREFIX)) {
      return of(call, Owner.SCHEDULES, name);
    }
    if (caller.isAsked()) {
      return of(call, Owner.of(caller), name);
    }
    return from.isPresent()
        ? of(call, Owner.of(from.get()), name)
        : context
            .store()
            .intentsByKeyName(name, NAMED + 1)
            .thenApply(intents -> theOnly(name, intents));
  }

  private CompletionStage<Optional<Intent>> of(Call call, Owner owner, String name) {
    return context
        .store()
        .intentByIdempotencyKey(new IdempotencyKey(owner, name))
        .thenCompose(
            id ->
                id.isEmpty()
                    ? CompletableFuture.completedFuture(Optional.empty())
                    : new ForgottenTransactions(context.store())
                        .orTell(call, id.get(), context.store().intent(id.get())));
  }

  private static Optional<Intent> theOnly(String name, List<Intent> intents) {
    if (intents.size() > 1) {
      throw new RpcFailure(
          ErrorCode.KEY_OF_SEVERAL,
          "The idempotency key '%s' was used by %s%s: name the one that is meant as `from`."
              .formatted(
                  name,
                  String.join(
                      ", ",
                      intents.stream()
                          .limit(NAMED)
                          .map(intent -> intent.transaction().from().toString())
                          .distinct()
                          .sorted()
                          .toList()),
                  intents.size() > NAMED ? " and others" : ""));
    }
    return intents.stream().findFirst();
  }
}
