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
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/**
 * A chain in a process of its own, which makes a block when it is told to and signs for its
 * accounts itself.
 */
public final class Anvil implements AutoCloseable {
  static final long CHAIN = 1337;
  static final long BLOCK_GAS = 30_000_000;

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final LocalChain chain;
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<String> accounts = new ArrayList<>();

  private Anvil(LocalChain chain) {
    this.chain = chain;
    call("eth_accounts").forEach(account -> accounts.add(account.textValue()));
  }

  /**
   * Forgets the states of older blocks, so that it can run for long. Skips the test with the reason
   * where there is no Node.js.
   */
  public static Anvil start() {
    return start(Optional.empty(), 0, List.of("--prune-history"));
  }

  /** Makes a block each second by itself. */
  public static Anvil startWithBlocks() {
    return start(Optional.of(1), 0, List.of());
  }

  /** Takes so much for each unit of gas at first. */
  public static Anvil startWithPrice(Optional<Integer> blockSeconds, long baseFee) {
    return start(blockSeconds, baseFee, List.of());
  }

  /** Can go back to older blocks. */
  static Anvil startWithHistory() {
    return start(Optional.empty(), 0, List.of());
  }

  static Anvil start(Optional<Integer> blockSeconds, long baseFee, List<String> more) {
    try {
      var binary = Node.modules().resolve("@foundry-rs/anvil-linux-amd64/bin/anvil");
      Assumptions.assumeTrue(
          Files.isExecutable(binary), "There is no anvil for this kind of machine.");
      return new Anvil(
          LocalChain.start(
              binary, new LocalChain.Options(CHAIN, blockSeconds, BLOCK_GAS, baseFee, more)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Where it is asked. */
  public URI address() {
    return chain.rpc();
  }

  /** The accounts that it signs for. */
  String account(int number) {
    return accounts.get(number);
  }

  /** Gives an account so much, whatever it had. */
  public void setBalance(String account, long balance) {
    call("anvil_setBalance", account, "0x" + Long.toHexString(balance));
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
              HttpRequest.newBuilder(chain.rpc())
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

  /** Makes a block of what waits, a second later than the one before. */
  void mine() {
    var before = call("eth_getBlockByNumber", "latest", false).get("timestamp").textValue();
    call("evm_setNextBlockTimestamp", Long.decode(before) + 1);
    call("evm_mine");
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

  @Override
  public void close() {
    chain.close();
  }
}
