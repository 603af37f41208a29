package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Field;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.guard.Named;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.ToIntFunction;

/**
 * One method as a caller sees it, with what answers it.
 *
 * @param group which grant of a caller's role it needs
 * @param about what it shows or changes every one of, without naming any
 * @param result how its result stands in JSON
 * @param returns the result in a few words
 * @param doc what it does, in sentences
 * @param answered false for the acknowledgements, which get no response at all
 * @param looks whether it changes nothing: its answer may be refused, and asked for again
 * @param begins what it begins that ends later, if it does
 */
@Copyable
public record RpcMethod(
    MethodGroup group,
    Set<Named.Kind> about,
    String name,
    List<Field<?>> parameters,
    Shape<?> result,
    String returns,
    String doc,
    boolean answered,
    boolean looks,
    Optional<Begins> begins,
    Handler handler)
    implements RpcMethodBuilder.With {
  public RpcMethod {
    about = Set.copyOf(about);
    parameters = List.copyOf(parameters);
  }

  /**
   * Answers a call, whose parameters have been checked for number and type, with a value. Called on
   * a dispatcher thread: must not block.
   *
   * @param <T> fails with {@link dev.sequitur.node.rpc.RpcFailure} or a refusal of the node
   */
  @FunctionalInterface
  public interface Answering<T> {
    CompletionStage<T> answer(Call call);
  }

  /** The same, with what is written. */
  @FunctionalInterface
  public interface Handler {
    CompletionStage<JsonNode> answer(Call call);
  }

  /** A method whose answer is written as {@code result} says. */
  public static <T> RpcMethod of(
      MethodGroup group,
      String name,
      List<Field<?>> parameters,
      Shape<? super T> result,
      String returns,
      String doc,
      Answering<T> answering) {
    return new RpcMethod(
        group,
        Set.of(),
        name,
        parameters,
        result,
        returns,
        doc,
        true,
        group == MethodGroup.READ,
        Optional.empty(),
        call -> answering.answer(call).thenApply(result::write));
  }

  /** One that looks, and changes nothing. */
  public static <T> RpcMethod reading(
      String name,
      List<Field<?>> parameters,
      Shape<? super T> result,
      String returns,
      String doc,
      Answering<T> answering) {
    return of(MethodGroup.READ, name, parameters, result, returns, doc, answering);
  }

  /** One that acts for an identity or an account. */
  public static <T> RpcMethod submitting(
      String name,
      List<Field<?>> parameters,
      Shape<? super T> result,
      String returns,
      String doc,
      Answering<T> answering) {
    return of(MethodGroup.SUBMIT, name, parameters, result, returns, doc, answering);
  }

  /**
   * A method that clients of other nodes call and that means nothing here. It changes nothing,
   * whatever its name says, so that whoever may read is told why.
   *
   * @param sentence why, and what to do instead
   */
  public static RpcMethod refused(String name, List<Field<?>> parameters, String sentence) {
    return reading(
        name,
        parameters,
        Shape.ANY,
        "an error, always",
        "Always refused. " + sentence,
        call -> {
          throw new RpcFailure(ErrorCode.UNSUPPORTED, sentence);
        });
  }

  /** This method as one that is about every one of a kind: its caller needs them all. */
  public RpcMethod aboutAll(Named.Kind kind) {
    return withAbout(Set.of(kind));
  }

  /**
   * What a call begins that ends later: as many as a caller may have pending.
   *
   * @param most how many a call may begin; its result names those that it has
   */
  public record Begins(Kind kind, ToIntFunction<Call> most) {
    /** What ends later. */
    public enum Kind {
      TRANSACTIONS,
      SCHEDULES
    }
  }

  /** The same, which begins such. */
  public RpcMethod begins(Begins.Kind kind, ToIntFunction<Call> most) {
    return withBegins(Optional.of(new Begins(kind, most)));
  }

  /** How many parameters a caller must send. */
  public int required() {
    return (int) parameters.stream().filter(Field::required).count();
  }
}
