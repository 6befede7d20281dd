// SPDX-License-Identifier: MIT
pragma solidity >=0.8.30;

struct ChannelConfig {
    address payer;
    address payerAuthorizer;
    address receiver;
    address receiverAuthorizer;
    address token;
    uint40 withdrawDelay;
    bytes32 salt;
}

interface Token {
    function transfer(address to, uint256 amount) external returns (bool);
    function balanceOf(address owner) external view returns (uint256);
    function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes calldata signature) external;
}

interface Collector {
    function collect(bytes32 channelId, address payer, address token, uint128 amount, bytes calldata collectorData) external;
}

/// A stand-in with the interface of the contract of x402's scheme batch-settlement, as the library of the scheme
/// publishes it: not its code, which is in no package. It checks the same EIP-712 signatures; those of contract wallets it refuses. Compiled
/// into batch-settlement.json as the test dollar is.
contract BatchSettlement {
    struct Voucher {
        ChannelConfig channel;
        uint128 maxClaimableAmount;
    }
    struct VoucherClaim {
        Voucher voucher;
        bytes signature;
        uint128 totalClaimed;
    }
    /// What was deposited and not refunded, and what of it the receiver has claimed.
    struct Channel {
        uint128 balance;
        uint128 totalClaimed;
    }
    struct Withdrawal {
        uint128 amount;
        uint40 initiatedAt;
    }
    struct Receiver {
        uint128 totalClaimed;
        uint128 totalSettled;
    }

    bytes32 public constant CHANNEL_CONFIG_TYPEHASH = keccak256(
        "ChannelConfig(address payer,address payerAuthorizer,address receiver,address receiverAuthorizer,address token,uint40 withdrawDelay,bytes32 salt)"
    );
    bytes32 private constant VOUCHER_TYPEHASH = keccak256("Voucher(bytes32 channelId,uint128 maxClaimableAmount)");
    bytes32 private constant REFUND_TYPEHASH = keccak256("Refund(bytes32 channelId,uint256 nonce,uint128 amount)");
    bytes32 private constant CLAIM_ENTRY_TYPEHASH =
        keccak256("ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)");
    bytes32 private constant CLAIM_BATCH_TYPEHASH = keccak256(
        "ClaimBatch(ClaimEntry[] claims)ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)"
    );
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

    mapping(bytes32 => Channel) public channels;
    mapping(bytes32 => Withdrawal) public pendingWithdrawals;
    mapping(bytes32 => uint256) public refundNonce;
    mapping(address => mapping(address => Receiver)) public receivers;

    event Settled(address indexed receiver, address indexed token, address indexed sender, uint128 amount);

    function digest(bytes32 structHash) private view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(DOMAIN_TYPEHASH, keccak256("x402 Batch Settlement"), keccak256("1"), block.chainid, address(this))
        );
        return keccak256(abi.encodePacked("\x19\x01", domain, structHash));
    }

    function getChannelId(ChannelConfig memory config) public view returns (bytes32) {
        return digest(keccak256(abi.encode(CHANNEL_CONFIG_TYPEHASH, config)));
    }

    function getVoucherDigest(bytes32 channelId, uint128 maxClaimableAmount) public view returns (bytes32) {
        return digest(keccak256(abi.encode(VOUCHER_TYPEHASH, channelId, maxClaimableAmount)));
    }

    function getRefundDigest(bytes32 channelId, uint256 nonce, uint128 amount) public view returns (bytes32) {
        return digest(keccak256(abi.encode(REFUND_TYPEHASH, channelId, nonce, amount)));
    }

    function getClaimBatchDigest(VoucherClaim[] calldata claims) public view returns (bytes32) {
        bytes32[] memory entries = new bytes32[](claims.length);
        for (uint256 i = 0; i < claims.length; i++) {
            Voucher calldata voucher = claims[i].voucher;
            bytes32 id = getChannelId(voucher.channel);
            entries[i] = keccak256(abi.encode(CLAIM_ENTRY_TYPEHASH, id, voucher.maxClaimableAmount, claims[i].totalClaimed));
        }
        return digest(keccak256(abi.encode(CLAIM_BATCH_TYPEHASH, keccak256(abi.encodePacked(entries)))));
    }

    function isSignedBy(address signer, bytes32 hash, bytes calldata signature) private pure returns (bool) {
        if (signature.length != 65 || signer == address(0)) return false;
        return ecrecover(hash, uint8(signature[64]), bytes32(signature[0:32]), bytes32(signature[32:64])) == signer;
    }

    function multicall(bytes[] calldata data) external returns (bytes[] memory results) {
        results = new bytes[](data.length);
        for (uint256 i = 0; i < data.length; i++) {
            (bool success, bytes memory result) = address(this).delegatecall(data[i]);
            require(success, "a call failed");
            results[i] = result;
        }
    }

    function deposit(ChannelConfig calldata config, uint128 amount, address collector, bytes calldata collectorData) external {
        require(amount > 0 && config.receiver != address(0) && config.receiverAuthorizer != address(0), "invalid deposit");
        require(config.withdrawDelay >= 15 minutes && config.withdrawDelay <= 30 days, "invalid delay");
        bytes32 id = getChannelId(config);
        channels[id].balance += amount;
        uint256 before = Token(config.token).balanceOf(address(this));
        Collector(collector).collect(id, config.payer, config.token, amount, collectorData);
        require(Token(config.token).balanceOf(address(this)) == before + amount, "not collected");
    }

    function claim(VoucherClaim[] calldata claims) external {
        for (uint256 i = 0; i < claims.length; i++) {
            require(msg.sender == claims[i].voucher.channel.receiverAuthorizer, "not the authorizer");
        }
        take(claims);
    }

    function claimWithSignature(VoucherClaim[] calldata claims, bytes calldata authorizerSignature) external {
        bytes32 hash = getClaimBatchDigest(claims);
        for (uint256 i = 0; i < claims.length; i++) {
            require(isSignedBy(claims[i].voucher.channel.receiverAuthorizer, hash, authorizerSignature), "not the authorizer");
        }
        take(claims);
    }

    /// A claim of what was claimed before changes nothing.
    function take(VoucherClaim[] calldata claims) private {
        for (uint256 i = 0; i < claims.length; i++) {
            VoucherClaim calldata claimed = claims[i];
            ChannelConfig calldata config = claimed.voucher.channel;
            bytes32 id = getChannelId(config);
            address signer = config.payerAuthorizer == address(0) ? config.payer : config.payerAuthorizer;
            require(
                isSignedBy(signer, getVoucherDigest(id, claimed.voucher.maxClaimableAmount), claimed.signature), "invalid voucher"
            );
            Channel storage channel = channels[id];
            require(
                claimed.totalClaimed <= claimed.voucher.maxClaimableAmount && claimed.totalClaimed <= channel.balance,
                "invalid amount"
            );
            if (claimed.totalClaimed <= channel.totalClaimed) continue;
            receivers[config.receiver][config.token].totalClaimed += claimed.totalClaimed - channel.totalClaimed;
            channel.totalClaimed = claimed.totalClaimed;
        }
    }

    function settle(address receiver, address token) external {
        Receiver storage account = receivers[receiver][token];
        uint128 amount = account.totalClaimed - account.totalSettled;
        require(amount > 0, "nothing to settle");
        account.totalSettled = account.totalClaimed;
        require(Token(token).transfer(receiver, amount), "no transfer");
        emit Settled(receiver, token, msg.sender, amount);
    }

    function initiateWithdraw(ChannelConfig calldata config, uint128 amount) external {
        require(msg.sender == config.payer && amount > 0, "not the payer");
        pendingWithdrawals[getChannelId(config)] = Withdrawal(amount, uint40(block.timestamp));
    }

    function finalizeWithdraw(ChannelConfig calldata config) external {
        bytes32 id = getChannelId(config);
        Withdrawal memory withdrawal = pendingWithdrawals[id];
        require(msg.sender == config.payer && withdrawal.initiatedAt > 0, "not requested");
        require(block.timestamp >= withdrawal.initiatedAt + config.withdrawDelay, "too early");
        giveBack(config, id, withdrawal.amount);
    }

    function refund(ChannelConfig calldata config, uint128 amount) external {
        require(msg.sender == config.receiverAuthorizer, "not the authorizer");
        bytes32 id = getChannelId(config);
        refundNonce[id] += 1;
        giveBack(config, id, amount);
    }

    function refundWithSignature(ChannelConfig calldata config, uint128 amount, uint256 nonce, bytes calldata signature) external {
        bytes32 id = getChannelId(config);
        require(nonce == refundNonce[id], "invalid nonce");
        require(isSignedBy(config.receiverAuthorizer, getRefundDigest(id, nonce, amount), signature), "not the authorizer");
        refundNonce[id] = nonce + 1;
        giveBack(config, id, amount);
    }

    /// Pays at most what is not claimed.
    function giveBack(ChannelConfig calldata config, bytes32 id, uint128 amount) private {
        uint128 rest = channels[id].balance - channels[id].totalClaimed;
        uint128 paid = amount > rest ? rest : amount;
        require(paid > 0, "nothing to refund");
        channels[id].balance -= paid;
        delete pendingWithdrawals[id];
        require(Token(config.token).transfer(config.payer, paid), "no transfer");
    }
}

/// A stand-in of the contract that collects deposits by EIP-3009 authorizations, whose nonce names their channel.
contract DepositCollector {
    function collect(bytes32 channelId, address payer, address token, uint128 amount, bytes calldata collectorData) external {
        (uint256 validAfter, uint256 validBefore, uint256 salt, bytes memory signature) =
            abi.decode(collectorData, (uint256, uint256, uint256, bytes));
        bytes32 nonce = keccak256(abi.encode(channelId, salt));
        Token(token).receiveWithAuthorization(payer, address(this), amount, validAfter, validBefore, nonce, signature);
        require(Token(token).transfer(msg.sender, amount), "no transfer");
    }
}
