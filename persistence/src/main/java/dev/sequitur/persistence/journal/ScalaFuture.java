package dev.sequitur.persistence.journal;

import dev.sequitur.protocol.port.Answers;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import scala.concurrent.Future;
import scala.concurrent.Promise;

/**
 * A stage as Akka's plugins want it. Unlike Scala's own conversion it fails with the exception
 * itself and not with the {@link CompletionException} around it, which is what a person reads when
 * an actor stops.
 */
final class ScalaFuture {
  private ScalaFuture() {}

  static <T> Future<T> of(CompletionStage<T> stage) {
    Promise<T> promise = Promise.apply();
    stage.whenComplete(
        (value, failure) -> {
          if (failure == null) {
            promise.success(value);
          } else {
            promise.failure(Answers.cause(failure));
          }
        });
    return promise.future();
  }
}
