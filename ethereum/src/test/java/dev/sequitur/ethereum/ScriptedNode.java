package dev.sequitur.ethereum;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sequitur.protocol.id.Bytes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;

/** A node of a chain that tells what a test wants: blocks without transactions. Thread-safe. */
final class ScriptedNode implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final HttpServer server;
  // A question that is held must not hold the others.
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private volatile CountDownLatch headIsTold = new CountDownLatch(0);
  // By this.
  private final List<String> hashes = new ArrayList<>();
  private final Set<Integer> lost = new HashSet<>();
  private int headQuestions;
  private int requests;
  private int calls;
  private int blockQuestions;
  private int receiptQuestions;
  private boolean refusesMissing;
  private final Map<Integer, JsonNode> held = new HashMap<>();
  private int mostCalls = Integer.MAX_VALUE;
  private int statusOfMore;
  private int answersOfOne = Integer.MAX_VALUE;
  private long chainId = Anvil.CHAIN;
  private String code = "0x60";
  private String balance = "0x7";
  private boolean takesTerms = true;
  private String called = "0x%064x".formatted(0x6a);
  private String refusal = "";
  private int refusalCode;
  private int claimed;
  private Optional<String> charged = Optional.empty();
  private boolean knowsTransactions;
  private Predicate<String> refuses = sent -> true;
  private final Set<String> accountsAskedAt = new HashSet<>();
  private JsonNode transaction = JSON.nullNode();
  private JsonNode receipt = JSON.nullNode();

  ScriptedNode() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** What each contract's is. */
  synchronized void hasCode(String hex) {
    code = hex;
  }

  /** What accounts have, and which nonce is next. */
  synchronized void counts(String hex) {
    balance = hex;
  }

  /** What each call of a contract returns; empty if it reverts. */
  synchronized void returns(String hex) {
    called = hex;
  }

  /** Its factory does not know how this version sends the terms of a group. */
  synchronized void hasFactoryOfAnotherVersion() {
    takesTerms = false;
  }

  /** Whatever it is sent, and whether it has it all the same. */
  synchronized void refuses(String words, boolean knows) {
    refusal = words;
    knowsTransactions = knows;
    refuses = sent -> true;
  }

  synchronized void takesAll() {
    refuses = sent -> false;
  }

  /** Of what it is sent next; and that never. */
  synchronized void takesButTheFirst(String words) {
    refuses(words, false);
    var first = new ArrayList<String>();
    refuses =
        sent -> {
          if (first.isEmpty()) {
            first.add(sent);
          }
          return first.contains(sent);
        };
  }

  /** Whatever it is asked, but for its head. */
  synchronized void refusesAll(int code, String words) {
    refusalCode = code;
    refusal = words;
  }

  /** Each of its blocks says that it has charged so much for a unit of gas. */
  synchronized void charges(String hex) {
    charged = Optional.of(hex);
  }

  /** Its head is this block, of which it has no more than the number; 0 to tell the truth. */
  synchronized void claims(int height) {
    claimed = height;
  }

  synchronized void isOfChain(long other) {
    chainId = other;
  }

  /**
   * Blocks upon what it has.
   *
   * @param branch two nodes with the same at the same height have the same block
   */
  synchronized ScriptedNode grow(int howMany, int branch) {
    for (int i = 0; i < howMany; i++) {
      hashes.add("0x%064x".formatted(branch * 1_000_000L + hashes.size() + 1));
    }
    return this;
  }

  /** Whichever is asked for. */
  synchronized void has(JsonNode itsTransaction, JsonNode itsReceipt) {
    transaction = itsTransaction;
    receipt = itsReceipt;
  }

  /** At which blocks it was asked what accounts have, and which nonces they have used. */
  synchronized Set<String> accountsAskedAt() {
    return Set.copyOf(accountsAskedAt);
  }

  /** How often it was asked for its head. */
  synchronized int headQuestions() {
    return headQuestions;
  }

  /**
   * It takes no more in one request.
   *
   * @param status of what it says to more, without a body; 200 for one error for all
   */
  synchronized ScriptedNode takesCalls(int most, int status) {
    mostCalls = most;
    statusOfMore = status;
    return this;
  }

  /** Of several calls in one request it answers so many, and gives the others an error each. */
  synchronized void answersOfOneRequest(int most, int code, String words) {
    answersOfOne = most;
    refusalCode = code;
    refusal = words;
  }

  private synchronized boolean answersAll() {
    return answersOfOne == Integer.MAX_VALUE;
  }

  private synchronized ObjectNode answer(JsonNode request, int place, int of) {
    if (of > 1 && place >= answersOfOne) {
      return refused(request);
    }
    return answer(request);
  }

  private ObjectNode refused(JsonNode request) {
    var answer = JSON.createObjectNode().put("jsonrpc", "2.0");
    answer.set("id", request.get("id"));
    answer.putObject("error").put("code", refusalCode).put("message", refusal);
    return answer;
  }

  private synchronized int refusal(JsonNode request) {
    return request.size() > mostCalls && request.isArray() ? statusOfMore : 0;
  }

  /** How often it was asked anything. */
  synchronized int requests() {
    return requests;
  }

  /** Of a block that it does not have it gives an error. */
  synchronized void refusesWhatIsNotThere() {
    refusesMissing = true;
  }

  synchronized String hash(int height) {
    return hashes.get(height - 1);
  }

  /** The block at this height has this transaction. */
  synchronized void holds(int height, JsonNode itsTransaction) {
    held.put(height, itsTransaction);
  }

  /** How often it was asked for a block. */
  synchronized int blockQuestions() {
    return blockQuestions;
  }

  /** How often it was asked for a receipt. */
  synchronized int receiptQuestions() {
    return receiptQuestions;
  }

  /** How many calls there were in what it was asked. */
  synchronized int calls() {
    return calls;
  }

  /** Whoever asks for its head waits until {@link #tellsItsHead}. */
  void keepsItsHeadBack() {
    headIsTold = new CountDownLatch(1);
  }

  void tellsItsHead() {
    headIsTold.countDown();
  }

  synchronized void fallBackTo(int height) {
    hashes.subList(height, hashes.size()).clear();
  }

  /** It has those before and after it. */
  synchronized void lose(int height) {
    lost.add(height);
  }

  synchronized void findAgain(int height) {
    lost.remove(height);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var request = JSON.readTree(exchange.getRequestBody());
      count(request.isArray() ? request.size() : 1);
      if (request.toString().contains("latest")) {
        headIsTold.await();
      }
      JsonNode body;
      int refusal = refusal(request);
      if (refusal == 200) {
        var error = JSON.createObjectNode().put("jsonrpc", "2.0").putNull("id");
        error.putObject("error").put("code", -32600).put("message", "batch too large");
        body = error;
      } else if (refusal > 0) {
        exchange.sendResponseHeaders(refusal, -1);
        return;
      } else if (request.isArray()) {
        var all = JSON.createArrayNode();
        for (int place = 0; place < request.size(); place++) {
          all.add(answer(request.get(place), place, request.size()));
        }
        body = all;
      } else {
        body = answer(request);
      }
      var bytes = JSON.writeValueAsBytes(body);
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void count(int inOne) {
    requests++;
    calls += inOne;
  }

  private synchronized ObjectNode answer(JsonNode request) {
    var answer = JSON.createObjectNode().put("jsonrpc", "2.0");
    answer.set("id", request.get("id"));
    if (refusalCode != 0 && answersAll() && !asksForHead(request)) {
      return refused(request);
    }
    switch (request.get("method").asText()) {
      case "eth_chainId" -> answer.put("result", "0x" + Long.toHexString(chainId));
      case "eth_getBlockByNumber" -> {
        var block = block(request.get("params").get(0).asText());
        if (block.isNull() && refusesMissing) {
          answer.putObject("error").put("code", -32000).put("message", "header not found");
        } else {
          answer.set("result", block);
        }
      }
      case "eth_getCode" -> answer.put("result", code);
      case "eth_call" -> {
        var data = request.get("params").get(0).path("data").asText();
        boolean isTerms = GroupContract.isCreate(Bytes.hex(data));
        if (called.isEmpty() || isTerms) {
          var error = answer.putObject("error").put("code", 3).put("message", "execution reverted");
          if (isTerms && takesTerms) {
            error.put("data", GroupContract.selector("BadTerms()").toHex());
          }
        } else {
          answer.put("result", called);
        }
      }
      case "eth_getBalance", "eth_getTransactionCount" -> {
        accountsAskedAt.add(request.get("params").get(1).asText());
        answer.put("result", balance);
      }
      case "eth_sendRawTransaction" -> {
        if (refuses.test(request.get("params").get(0).asText())) {
          answer.putObject("error").put("code", -32000).put("message", refusal);
        } else {
          answer.put("result", "0x" + "0".repeat(64));
        }
      }
      case "eth_getTransactionByHash" ->
          answer.set("result", knowsTransactions ? JSON.createObjectNode() : transaction);
      case "eth_getTransactionReceipt" -> {
        receiptQuestions++;
        answer.set("result", receipt);
      }
      default -> throw new IllegalArgumentException(request.toString());
    }
    return answer;
  }

  private static boolean asksForHead(JsonNode request) {
    return request.get("method").asText().equals("eth_getBlockByNumber")
        && request.get("params").get(0).asText().equals("latest");
  }

  private JsonNode block(String which) {
    blockQuestions++;
    boolean isHead = which.equals("latest");
    headQuestions += isHead ? 1 : 0;
    int height = isHead ? hashes.size() : Integer.decode(which);
    if (height < 1 || height > hashes.size() || lost.contains(height)) {
      return JSON.nullNode();
    }
    var block = JSON.createObjectNode();
    block.put("number", "0x" + Integer.toHexString(height)).put("hash", hashes.get(height - 1));
    if (isHead && claimed > 0) {
      block.put("number", "0x" + Integer.toHexString(claimed)).put("hash", "0x" + "e".repeat(64));
    }
    block.put("parentHash", height == 1 ? "0x" + "0".repeat(64) : hashes.get(height - 2));
    var transactions = block.put("timestamp", "0x1").putArray("transactions");
    Optional.ofNullable(held.get(height)).ifPresent(transactions::add);
    charged.ifPresent(hex -> block.put("baseFeePerGas", hex));
    return block;
  }

  @Override
  public void close() {
    headIsTold.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
