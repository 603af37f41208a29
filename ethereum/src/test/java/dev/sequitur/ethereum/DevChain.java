package dev.sequitur.ethereum;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.protocol.id.Bytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/**
 * A chain in a process of its own, made for tests: it signs for its accounts itself, and makes a
 * block when it is told to.
 */
public abstract class DevChain implements AutoCloseable {
  static final long CHAIN = 1337;
  static final long BLOCK_GAS = 30_000_000;

  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** Not every product's server takes what asks it to change to HTTP/2. */
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /** Where it is asked. */
  public abstract URI address();

  /** Makes a block of what waits, a second later than the one before. */
  abstract void mine();

  /** Replaces the newest block by another one: what was in it is in that one, or in the pool. */
  abstract void replaceNewest();

  /** Gives an account a million times what a transaction costs here. */
  public abstract void fund(String account);

  @Override
  public abstract void close();

  /** The accounts that it signs for. */
  String account(int number) {
    return call("eth_accounts").get(number).textValue();
  }

  JsonNode call(String method, Object... params) {
    var answer = answer(method, params);
    if (answer.has("error")) {
      throw new IllegalStateException(method + ": " + answer.get("error"));
    }
    return answer.get("result");
  }

  JsonNode answer(String method, Object... params) {
    var request = JSON.createObjectNode().put("jsonrpc", "2.0").put("id", 1).put("method", method);
    request.set("params", JSON.valueToTree(params));
    try {
      var body = HttpRequest.BodyPublishers.ofString(request.toString());
      var response =
          client.send(
              HttpRequest.newBuilder(address())
                  .header("content-type", "application/json")
                  .POST(body)
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      return JSON.readTree(response.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** A transaction's receipt; it is in a block when this returns. */
  JsonNode send(String from, String to, Bytes data) {
    return send(from, to, data, BLOCK_GAS / 2);
  }

  /** Makes a contract. */
  String deploy(Bytes creation) {
    return send(account(0), null, creation).get("contractAddress").textValue();
  }

  /**
   * As {@link #send(String, String, Bytes)}.
   *
   * @param gas that it may use
   */
  JsonNode send(String from, String to, Bytes data, long gas) {
    var transaction = transaction(from, to, data).put("gas", "0x" + Long.toHexString(gas));
    var hash = call("eth_sendTransaction", transaction).textValue();
    mine();
    var receipt = call("eth_getTransactionReceipt", hash);
    if (receipt.isObject()) {
      return receipt;
    }
    throw new IllegalStateException(hash + " came into no block.");
  }

  /** What a function answers. */
  Bytes view(String to, Bytes data) {
    return Bytes.hex(call("eth_call", transaction(account(0), to, data), "latest").textValue());
  }

  /** What the node says of a call that fails. */
  JsonNode failure(String from, String to, Bytes data) {
    return answer("eth_call", transaction(from, to, data), "latest").get("error");
  }

  private static ObjectNode transaction(String from, String to, Bytes data) {
    var transaction = JSON.createObjectNode().put("from", from).put("data", data.toHex());
    return to == null ? transaction : transaction.put("to", to);
  }

  /** The time of the next block, in seconds of the epoch. */
  final long nextTime() {
    var before = call("eth_getBlockByNumber", "latest", false).get("timestamp").textValue();
    return Long.decode(before) + 1;
  }
}
