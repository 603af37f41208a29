package dev.sequitur.protocol.port;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Several answers as one. */
public final class Answers {
  private Answers() {}

  /**
   * All of them, in their order, once each is there; fails then as the first of those does that
   * have failed.
   */
  public static <T> CompletableFuture<List<T>> all(
      Collection<? extends CompletionStage<? extends T>> answers) {
    var all =
        answers.stream()
            .<CompletableFuture<? extends T>>map(CompletionStage::toCompletableFuture)
            .toList();
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
        .thenApply(done -> all.stream().<T>map(CompletableFuture::join).toList());
  }

  /** The answer to each question, which is asked once the one before it is answered. */
  public static <Q, T> CompletionStage<List<T>> inTurn(
      Collection<Q> questions, Function<? super Q, ? extends CompletionStage<? extends T>> ask) {
    CompletionStage<List<T>> all = CompletableFuture.completedFuture(new ArrayList<>());
    for (var question : questions) {
      all =
          all.thenCompose(
              before ->
                  ask.apply(question)
                      .thenApply(
                          answer -> {
                            before.add(answer);
                            return before;
                          }));
    }
    return all;
  }

  /**
   * The answers to questions that are asked so many at a time, one part after another.
   *
   * @param ask answers as many as it is given, in their order
   */
  public static <Q, T> CompletionStage<List<T>> inParts(
      List<Q> questions, int most, Function<List<Q>, CompletionStage<List<T>>> ask) {
    var parts = new ArrayList<List<Q>>();
    for (int from = 0; from < questions.size(); from += most) {
      parts.add(questions.subList(from, Math.min(questions.size(), from + most)));
    }
    return Answers.<List<Q>, List<T>>inTurn(parts, ask)
        .thenApply(answered -> answered.stream().flatMap(List::stream).toList());
  }

  /** What an answer has failed with, without what wraps it on its way. */
  public static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  /** What a failure began with, beneath all that wraps it. */
  public static Throwable root(Throwable failure) {
    var root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  /** What is answered about something, if there is something to ask about. */
  public static <Q, T> CompletionStage<Optional<T>> ifThere(
      Optional<Q> question, Function<? super Q, ? extends CompletionStage<T>> ask) {
    return question.isPresent()
        ? ask.apply(question.get()).thenApply(Optional::of)
        : CompletableFuture.completedFuture(Optional.empty());
  }
}
