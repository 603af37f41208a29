package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.rpc.json.Field;
import dev.sequitur.node.rpc.json.Shape;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * One method as a caller sees it, with what answers it.
 *
 * @param result how its result stands in JSON
 * @param returns the result in a few words
 * @param doc what it does, in sentences
 * @param answered false for the acknowledgements, which get no response at all
 */
public record RpcMethod(
    String name,
    List<Field<?>> parameters,
    Shape<?> result,
    String returns,
    String doc,
    boolean answered,
    Handler handler) {
  public RpcMethod {
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

  /** A method that writes its answer itself, which no schema tells. */
  public RpcMethod(
      String name,
      List<Field<?>> parameters,
      String returns,
      String doc,
      boolean answered,
      Handler handler) {
    this(name, parameters, Shape.ANY, returns, doc, answered, handler);
  }

  /** A method whose answer is written as {@code result} says. */
  public static <T> RpcMethod of(
      String name,
      List<Field<?>> parameters,
      Shape<? super T> result,
      String returns,
      String doc,
      Answering<T> answering) {
    return new RpcMethod(
        name,
        parameters,
        result,
        returns,
        doc,
        true,
        call -> answering.answer(call).thenApply(result::write));
  }

  /** How many parameters a caller must send. */
  public int required() {
    return (int) parameters.stream().filter(Field::required).count();
  }
}
